// A row of the tables in which `kubectl describe` and `kubectl get events` show Kubernetes events: `Reason: message`, with how
// often it happened. The age is relative to a moment that nobody knows, so it gives no time.
import { levelOfWord } from '../levels.ts';
import type { LogFormat } from '../line-state.ts';

export const EVENTS_STREAM = 'events';

const AGE = String.raw`(?:(?:\d{1,5}[smhdwy]){1,3}|<(?:unknown|invalid)>|just now)`;
const OFTEN = String.raw`(?: \(x(?<count>\d{1,9}) over \w{1,12}\))?`;
const TYPE = '(?<type>Normal|Warning)';
const REASON = String.raw`(?<reason>[A-Z]\w{1,60})`;
const DESCRIBED = new RegExp(
  String.raw`^\s{0,12}${TYPE}\s+${REASON}\s+${AGE}${OFTEN}\s+(?<from>[a-z][\w./-]{0,80}(?:, \S{1,253})?)\s{2,}(?<message>\S.*)$`,
  's',
);
/** The object is `pod/name`; `-o wide` has columns of its own in between. */
const LISTED = new RegExp(
  String.raw`^\s{0,12}(?:[a-z0-9][a-z0-9-]{0,62}\s+)?${AGE}${OFTEN}\s+(?:\S{1,20}\s+\d{1,9}\s+)?${TYPE}\s+${REASON}\s+(?<object>[a-zA-Z]{2,40}\/[\w.-]{1,253})\s+(?<message>\S.*)$`,
  's',
);
const MAYBE = /(?:Normal|Warning)\s/;
/** Events of these kinds are the kubelet's, where no column says whose. */
const KUBELETS =
  /^(?:Failed(?!Create$|Scheduling|AttachVolume)|Killing|Pull|BackOff|Unhealthy|Started$|SandboxChanged|Node(?:Ready|NotReady|Has|Allocatable)|InvalidDiskCapacity|Evict|Rebooted|Starting$|NetworkNotReady|ContainerGCFailed|ImageGCFailed)/;

export const kubeEvent: LogFormat = {
  name: 'kube-event',
  unwrap(line) {
    if (line.identifier !== null || !MAYBE.test(line.text.slice(0, 200))) return false;
    const groups = (DESCRIBED.exec(line.text) ?? LISTED.exec(line.text))?.groups;
    if (groups === undefined) return false;
    const { type, reason, from, message, count } = groups as Record<string, string | undefined>;
    line.stream = EVENTS_STREAM;
    line.level = levelOfWord(type === 'Warning' ? 'warning' : 'info');
    line.component = from?.split(',')[0] ?? (KUBELETS.test(reason!) ? 'kubelet' : null);
    line.repeats = count === undefined ? 1 : Number(count);
    line.text = `${reason!}: ${message!}`;
    return true;
  },
};
