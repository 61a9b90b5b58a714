// Tells whether a failed lookup, connection or time-out is over: the same host or service answered later, if only to refuse.
import type { LogRecord } from '../types.ts';
import type { Finding } from './finding.ts';
import type { Known } from './requirements.ts';

const NO_ANSWER =
  /no such host|i\/o timeout|server misbehaving|Temporary failure|[Cc]ould ?n[o']t resolve|TLS handshake timeout|connection refused|no route to host|network is unreachable|timed out|deadline exceeded|request canceled/;
const ANSWER =
  /\bUnauthorized\b|asked for the client to provide credentials|forbidden: User|\bx509: |\bAccessDenied|\bUnauthorizedOperation\b|(?:StatusCode|status code|status from \w+ request to \S+)[:= ]+[1-5]\d\d\b/;
const HOST = /(?:lookup |https?:\/\/|dial tcp )(?<host>[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?)/g;
/** The name of a cluster's API server: the one service whose refusals the kubelet logs without a name. */
const CLUSTER_ENDPOINT = /^[0-9A-Fa-f]{32}\./;

/** Key of what was matched when the answer came, null if none came after the finding's last record. */
export function answeredBy(finding: Finding, { match, axis }: Known): string | null {
  const { hits, stall, proven, last } = finding;
  if (hits.length === 0 || stall !== null || proven || last === null) return null;
  const failures = hits.flatMap(({ summary }) => [summary.first, summary.last]);
  if (!failures.every(({ message }) => NO_ANSWER.test(message) && !ANSWER.test(message))) return null;
  const hosts = new Set(failures.flatMap(hostsOf));
  if (hosts.size === 0) return null;
  for (const [key, summary] of match.matches) {
    const isAnswer = ANSWER.test(summary.last.message) && !NO_ANSWER.test(summary.last.message);
    if (isAnswer && axis.isBefore(last, summary.last) === true && speaksOf(summary.last, hosts, last)) return key;
  }
  return null;
}

/** All hosts that failed must have answered: one that did not is still a failure. */
function speaksOf(answer: LogRecord, hosts: ReadonlySet<string>, failure: LogRecord): boolean {
  const named = hostsOf(answer);
  if (named.length > 0) return [...hosts].every((host) => named.includes(host));
  return answer.stream === failure.stream && [...hosts].every((host) => CLUSTER_ENDPOINT.test(host));
}

/** Names alone where there are some: the address of the resolver, or of one of many hosts of a name, is no host of its own. */
function hostsOf({ message }: LogRecord): string[] {
  const all = [...message.matchAll(HOST)].map(({ groups }) => groups!['host']!.toLowerCase());
  const names = all.filter((host) => /[a-z]/.test(host) && host.includes('.'));
  return [...new Set(names.length > 0 ? names : all)];
}
