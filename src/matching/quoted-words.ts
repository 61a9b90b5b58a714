// Blanks what the kubelet and the container runtime quote of others: what a probe or a container printed, commands, image
// names, errors of pods that are not the node's own. What is left are the component's own words.

/** The streams whose components quote others. */
const QUOTING: ReadonlySet<string> = new Set(['kubelet', 'containerd', 'docker', 'events', 'unknown']);
/** Quick look: most records quote nobody. */
const HINT = /pods?=|object=|_[a-z0-9-]+\(|[Pp]robe |[Ee]xec|[Hh]ook|mage|Container\{|ermination/;

/** Pods on which the node itself rests: what they fail of is the node's trouble. */
const OWN_PODS =
  'aws-node|kube-proxy|coredns|eks-pod-identity-agent|ebs-csi-node|cilium|calico-node|nvidia-device-plugin-daemonset';
const OWN_POD = new RegExp(`^(?:kube-system/(?:${OWN_PODS})(?:-|$)|(?:${OWN_PODS})-[a-z0-9-]+_kube-system$)`);
/** A record about a pod names it as `pod="ns/name"` (structured), `object="ns/name"` (events) or `name_ns(uid)` (kubelet ≤1.20). */
const POD =
  /\b(?:pod|pods|object)=\[?"?(?<structured>[a-z0-9][a-z0-9.-]*\/[a-z0-9][a-z0-9.-]*)|\b(?<named>[a-z0-9][a-z0-9.-]*_[a-z0-9][a-z0-9-]*)\([0-9a-f-]{8,36}\)/g;
/** Where the values begin that may quote. */
const VALUE = / (?:err|error|event|patch|output|message|cmd|command)=|, skipping: /;

/** Behind these everything is quoted. */
const HEAD_OF_QUOTE =
  /Probe (?:failed|errored)|(?:Readiness|Liveness|Startup) probe (?:for "[^"]{0,300}" )?(?:failed|errored)|ExecSync(?: cmd from runtime service failed| for "[^"]{0,80}" failed)|Exec(?: for "[^"]{0,80}"| cmd) failed|(?:PreStop|PostStart) hook failed|[Tt]ermination message|ontainer &?Container\{/;
/** Of a pod's sandbox the runtime speaks for itself: its image, its network and its cgroup are the node's. So does who admits or evicts it. */
const OF_NODE =
  /[sS]andbox|[Nn]etwork ?[Pp]lugin|Failed to admit pod|VerifyControllerAttachedVolume|operationExecutor\.|[Ee]viction ?[Mm]anager/;
const ERROR_OF_NODE =
  /^"?(?:rpc error: code = \w{2,20} desc = )?(?:network is not ready|(?:failed|unable) to \w{3,12} (?:a |the )?(?:pod )?sandbox|failed to set ?up (?:pod )?network|failed to (?:ensure that )?\S{0,20} ?cgroup|[Nn]etworkPlugin cni failed)/;
/** The kubelet's own word for what went wrong; the rest is quoted. */
const REASON = /^"?failed to \\?"(?<what>\w{3,40})\\?" for \\?"[^"]{0,200}" with \w{3,60}: /;

/** `exec: "/app/server": permission denied`: the program's name is the pod's. A plain path says nothing else. */
const PROGRAM =
  /\bexec: \\?"(?<name>.*)\\?"(?<end>: (?=stat |no such|not found|permission|exec format|exec(?:utable)? |operation|fork|is a dir|input|unknown|invalid|text file)|$)/s;
const OPEN_PROGRAM = /\bexec: \\?"/;
const IMAGE = /\b(?:PullImage|image|reference|image name|image tag) \\?"(?<name>[^"]*)/;
const IMAGE_VALUE = / image(?:Ref|Name)?="?[^\s"]*/;
const NO_IMAGE = /couldn't parse image|invalid reference format|InvalidImageName|failed to (?:parse|normalize) image/;
const PLAIN = /^[\w.@:/+\\-]+$/;

/** The message without what it quotes; the very same string if it quotes nothing. */
export function ownWords(stream: string, message: string): string {
  if (!QUOTING.has(stream) || !HINT.test(message)) return message;
  const end = endOfOwnWords(message);
  return withoutImage(withoutProgram(end < 0 ? message : message.slice(0, end)));
}

/** Where the quoted part begins; -1 if there is none. */
function endOfOwnWords(message: string): number {
  const value = VALUE.exec(message);
  const quote = HEAD_OF_QUOTE.exec(message);
  // What is quoted could name one of the node's own pods: behind such a head only what stands before counts, else all must be such.
  if (quote !== null) return areOwn(podsIn(message.slice(0, value?.index))) ? -1 : quote.index + quote[0].length;
  const pods = podsIn(message);
  if (pods.length === 0 || areOwn(pods)) return -1;
  if (OF_NODE.test(message.slice(0, value?.index))) return -1;
  if (value === null) return endOfNamedPod(message);
  const begin = value.index + value[0].length;
  const reason = REASON.exec(message.slice(begin));
  if (reason !== null) return OF_NODE.test(reason.groups!['what']!) ? -1 : begin + reason[0].length;
  return ERROR_OF_NODE.test(message.slice(begin)) ? -1 : begin;
}

function podsIn(text: string): string[] {
  return [...text.matchAll(POD)].map(({ groups }) => groups!['structured'] ?? groups!['named']!);
}

function areOwn(pods: readonly string[]): boolean {
  return pods.length > 0 && pods.every((pod) => OWN_POD.test(pod));
}

/** Without values the rest of an old kubelet's sentence follows the pod's name. */
function endOfNamedPod(message: string): number {
  const named = [...message.matchAll(POD)].find(({ groups }) => groups!['named'] !== undefined);
  return named === undefined ? -1 : named.index + named[0].length;
}

/** Only a reference that is none can hold a text; then nobody can tell where it ends. The kubelet says nothing behind `image=`. */
function withoutImage(message: string): string {
  const value = IMAGE_VALUE.exec(message);
  const own = value === null ? message : message.slice(0, value.index + value[0].length);
  const image = IMAGE.exec(own);
  const isPlain = image === null || (PLAIN.test(image.groups!['name']!) && !NO_IMAGE.test(own));
  if (isPlain || OF_NODE.test(own.slice(0, image.index))) return own;
  return own.slice(0, image.index);
}

/** The name is the longest that can be one: a quote may stand in it. */
function withoutProgram(message: string): string {
  const open = OPEN_PROGRAM.exec(message);
  if (open === null) return message;
  const program = PROGRAM.exec(message);
  if (program === null) return message.slice(0, open.index);
  return PLAIN.test(program.groups!['name']!) ? message : message.replace(PROGRAM, 'exec: ""$<end>');
}
