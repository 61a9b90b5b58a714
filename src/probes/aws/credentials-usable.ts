// Are the instance's credentials there, and does STS accept them? Asks STS who they belong to.
import type { HttpAnswer } from '../../host/network/network.ts';
import { proxyFor } from '../../host/network/proxy.ts';
import { compactFacts } from '../compact-facts.ts';
import { failedRequest, placeFacts, type RequestCode, requestAnswers } from '../connection-answers.ts';
import { endpointHost, variantOf } from '../../aws/endpoints.ts';
import { findCredentials } from '../../aws/instance-credentials.ts';
import { MetadataError, openMetadata } from '../../aws/instance-metadata.ts';
import type { Probe, ProbeAnswer, ProbeContext } from '../probe.ts';
import { type Credentials, signedHeaders } from '../../aws/sigv4.ts';
import { ownProxySettings } from '../machine/unit-proxy.ts';

type Code =
  | RequestCode
  | 'ok'
  | 'no-instance-profile'
  | 'role-gone'
  | 'denied'
  | 'expired'
  | 'clock-skewed'
  | 'no-metadata'
  | 'region-unknown';

const REQUEST_LIMIT_MS = 2_000;
const HTTPS = 443;
const HEADERS = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
const BODY = 'Action=GetCallerIdentity&Version=2011-06-15';

export const credentialsUsable: Probe<Code> = {
  name: 'credentials-usable',
  stage: 'questions',
  answers: {
    ok: { outcome: 'ok', sentence: "STS accepts the instance's credentials: {role_arn}." },
    ...requestAnswers('host'),
    'no-instance-profile': {
      outcome: 'fail',
      sentence: 'The instance has no instance profile, so it has no credentials.',
    },
    'role-gone': {
      outcome: 'fail',
      sentence: 'EC2 cannot assume the role of the instance profile (role {role_name}) ({reason}).',
    },
    denied: { outcome: 'fail', sentence: "STS refuses the instance's credentials ({reason})." },
    expired: {
      outcome: 'fail',
      sentence: "The instance's credentials have expired, or the clock of this node is ahead.",
    },
    'clock-skewed': {
      outcome: 'fail',
      sentence: 'STS refuses requests signed with the time of this node, which is {offset_seconds} s off.',
    },
    'no-metadata': {
      outcome: 'skipped',
      sentence: 'The credentials could not be asked for: the instance metadata service does not answer.',
    },
    'region-unknown': {
      outcome: 'skipped',
      sentence: 'The credentials were not tried: the region of this node is not known.',
    },
  },
  async ask(context) {
    try {
      const metadata = await openMetadata(context.network, context.signal);
      const found = await findCredentials(metadata, context.host.clock.wallMs());
      if (found.kind !== 'found')
        return { code: found.kind, facts: compactFacts({ role_name: found.roleName, reason: found.reason }) };
      return await askSts(found.credentials, context);
    } catch (error) {
      if (error instanceof MetadataError) return { code: 'no-metadata', facts: {} };
      throw error;
    }
  },
};

async function askSts(
  credentials: Credentials,
  { host: machine, network, system, known, signal }: ProbeContext,
): Promise<ProbeAnswer<Code>> {
  const region = known.get('region') ?? '';
  const host = endpointHost('sts', region, variantOf(network.environment));
  if (host === null) return { code: 'region-unknown', facts: {} };
  const proxy = proxyFor(await ownProxySettings(network, system), host, HTTPS);
  const shown = proxy === null ? null : `${proxy.host}:${proxy.port}`;
  const atMs = machine.clock.wallMs();
  const headers = signedHeaders(
    { method: 'POST', host, path: '/', query: {}, headers: HEADERS, body: BODY },
    { credentials, region, service: 'sts', atMs },
  );
  try {
    const asked = { host, port: HTTPS, trust: 'system', proxy, timeLimitMs: REQUEST_LIMIT_MS, signal } as const;
    const answer = await network.request({ ...asked, method: 'POST', path: '/', headers, body: BODY });
    const { code, facts } = judged(answer, atMs);
    return { code, facts: { host, ...placeFacts(answer.address, shown), ...facts } };
  } catch (error) {
    const { code, facts } = failedRequest(error, shown);
    return { code, facts: { host, ...facts } };
  }
}

function judged({ status, body, dateMs }: HttpAnswer, atMs: number): ProbeAnswer<Code> {
  const reason = elementOf(body, 'Code');
  const offset = dateMs === null ? null : Math.round((atMs - dateMs) / 1_000);
  if (status === 200) {
    const role = roleOf(elementOf(body, 'Arn') ?? '');
    const account = elementOf(body, 'Account');
    return account === null
      ? { code: 'unexpected-answer', facts: { reason: 'no account' } }
      : { code: 'ok', facts: compactFacts({ ...role, account }) };
  }
  if (reason === null || status >= 500) return { code: 'unexpected-answer', facts: { reason: String(status) } };
  return { code: refusalOf(reason, body), facts: compactFacts({ reason, offset_seconds: offset }) };
}

/** STS says in the text alone that only the time is wrong: `Signature expired: … is now earlier than …`. */
function refusalOf(reason: string, body: string): 'expired' | 'clock-skewed' | 'denied' {
  if (reason.startsWith('ExpiredToken')) return 'expired';
  if (reason === 'RequestExpired' || reason === 'RequestTimeTooSkewed') return 'clock-skewed';
  return reason === 'SignatureDoesNotMatch' && /Signature (?:expired|not yet current)/.test(body)
    ? 'clock-skewed'
    : 'denied';
}

/** The text of the first element of that name, if it is short and plain. */
function elementOf(xml: string, name: string): string | null {
  return new RegExp(`<${name}>(?<text>[\\w:+=,.@/-]{1,256})</${name}>`).exec(xml)?.groups?.['text'] ?? null;
}

/** `arn:aws:sts::ACCOUNT:assumed-role/NAME/i-…`. The role's path is not in it. */
function roleOf(arn: string): Readonly<Record<string, string>> {
  const groups =
    /^arn:(?<partition>[a-z-]{3,20}):sts::(?<account>\d{12}):assumed-role\/(?<name>[\w+=,.@-]{1,64})\//.exec(
      arn,
    )?.groups;
  if (groups === undefined) return {};
  return {
    role_name: groups['name']!,
    role_arn: `arn:${groups['partition']}:iam::${groups['account']}:role/${groups['name']}`,
  };
}
