// If a proxy is configured: can it be reached, and does it leave out the instance metadata, which no proxy can ask for this
// instance?
import { NetworkError } from '../../host/network/network.ts';
import { isExempt, parseProxy } from '../../host/network/proxy.ts';
import type { Probe } from '../probe.ts';
import { readProxySettings } from './proxy-settings.ts';

type Code = 'ok' | 'none-configured' | 'exclusions-missing' | 'proxy-unreachable';

const METADATA_HOST = '169.254.169.254';
const CONNECT_LIMIT_MS = 2_000;

export const proxyComplete: Probe<Code> = {
  name: 'proxy-complete',
  stage: 'questions',
  answers: {
    ok: {
      outcome: 'ok',
      sentence: 'The proxy {proxy} of {path} can be reached, and its exclusions hold the instance metadata.',
    },
    'none-configured': { outcome: 'ok', sentence: 'No proxy is configured.' },
    'exclusions-missing': {
      outcome: 'fail',
      sentence: 'NO_PROXY in {path} does not hold {missing}: the requests for it go to the proxy {proxy}.',
    },
    'proxy-unreachable': { outcome: 'fail', sentence: 'The proxy {proxy} of {path} cannot be reached ({reason}).' },
  },
  async ask({ system, network, signal }) {
    const found = await readProxySettings(system);
    if (found === null) return { code: 'none-configured', facts: {} };
    const { settings, path } = found;
    const proxy = parseProxy(settings.httpsProxy ?? settings.httpProxy ?? '');
    if (proxy === null) return { code: 'proxy-unreachable', facts: { path, reason: 'not an address' } };
    // Never its credentials.
    const facts = { proxy: `${proxy.host}:${proxy.port}`, host: proxy.host, path };
    if (settings.httpProxy !== null && !isExempt(settings.noProxy, METADATA_HOST, 80))
      return { code: 'exclusions-missing', facts: { ...facts, missing: METADATA_HOST } };
    try {
      await network.connect({
        host: proxy.host,
        port: proxy.port,
        trust: null,
        proxy: null,
        timeLimitMs: CONNECT_LIMIT_MS,
        signal,
      });
      return { code: 'ok', facts };
    } catch (error) {
      if (!(error instanceof NetworkError) || signal.aborted) throw error;
      return { code: 'proxy-unreachable', facts: { ...facts, reason: error.code } };
    }
  },
};
