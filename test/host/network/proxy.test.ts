import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isExempt, parseProxy, proxyFor, proxySettingsOf } from '../../../src/host/network/proxy.ts';

test('takes the variables in upper case first, and an empty one for none', () => {
  assert.deepEqual(
    proxySettingsOf({
      HTTPS_PROXY: 'http://a',
      https_proxy: 'http://b',
      http_proxy: 'http://c',
      NO_PROXY: '',
      no_proxy: 'x',
    }),
    {
      httpsProxy: 'http://a',
      httpProxy: 'http://c',
      noProxy: 'x',
    },
  );
  assert.deepEqual(proxySettingsOf({}), { httpsProxy: null, httpProxy: null, noProxy: '' });
});

test('reads the address of a proxy as curl and Go do', () => {
  assert.deepEqual(parseProxy('http://proxy.corp:3128'), {
    host: 'proxy.corp',
    port: 3128,
    secure: false,
    authorization: null,
  });
  assert.deepEqual(parseProxy('proxy.corp:3128'), {
    host: 'proxy.corp',
    port: 3128,
    secure: false,
    authorization: null,
  });
  assert.deepEqual(parseProxy('http://10.0.0.5/'), { host: '10.0.0.5', port: 80, secure: false, authorization: null });
  assert.deepEqual(parseProxy('https://[fd00::5]'), { host: 'fd00::5', port: 443, secure: true, authorization: null });
  assert.equal(
    parseProxy('http://us%65r:p%40ss@proxy:3128')?.authorization,
    `Basic ${Buffer.from('user:p@ss').toString('base64')}`,
  );
  assert.equal(
    parseProxy('http://user:100%@proxy:3128')?.authorization,
    `Basic ${Buffer.from('user:100%').toString('base64')}`,
  );
});

test('what is no address of an HTTP proxy is none', () => {
  for (const value of ['', 'socks5://proxy:1080', 'http://', 'not a url', 'http://a b:1', 'file:///etc/passwd'])
    assert.equal(parseProxy(value), null, value);
});

const EXEMPT: readonly (readonly [noProxy: string, host: string, covered: boolean])[] = [
  ['', 'sts.us-west-2.amazonaws.com', false],
  ['', 'localhost', true],
  ['', '127.0.0.1', true],
  ['', '::1', true],
  ['*', 'anything.example', true],
  ['amazonaws.com', 'sts.us-west-2.amazonaws.com', true],
  ['amazonaws.com', 'amazonaws.com', true],
  ['amazonaws.com', 'notamazonaws.com', false],
  ['.amazonaws.com', 'sts.us-west-2.amazonaws.com', true],
  ['.amazonaws.com', 'amazonaws.com', false],
  ['*.amazonaws.com', 'sts.us-west-2.amazonaws.com', true],
  ['localhost, .EKS.amazonaws.com ,', 'ABC.gr7.us-west-2.eks.amazonaws.com', true],
  ['amazonaws.com:443', 'sts.us-west-2.amazonaws.com', true],
  ['amazonaws.com:8443', 'sts.us-west-2.amazonaws.com', false],
  ['169.254.169.254', '169.254.169.254', true],
  ['169.254.169.254:80', '169.254.169.254', false],
  ['fd00:ec2::254', 'fd00:ec2::254', true],
  ['[fd00:ec2::254]:443', '[fd00:ec2::254]', true],
  ['10.0.0.0/16', '10.0.12.7', true],
  ['10.0.0.0/16', '10.1.12.7', false],
  ['10.0.0.0/16', 'ip-10-0-12-7.ec2.internal', false],
  ['fd00::/8', 'fd00::5', true],
  ['10.0.0.0/99', '10.0.0.1', false],
  ['10.0.0.0/x', '10.0.0.1', false],
  ['0.0.1', '10.0.0.1', false],
];

test('reads NO_PROXY by the rules of Go', () => {
  for (const [noProxy, host, covered] of EXEMPT)
    assert.equal(isExempt(noProxy, host, 443), covered, `${host} by ${JSON.stringify(noProxy)}`);
});

test('only the HTTPS proxy counts for a TLS connection', () => {
  const settings = { httpsProxy: 'http://secure:1', httpProxy: 'http://plain:2', noProxy: 'straight.example' };
  assert.equal(proxyFor(settings, 'api.example', 443)?.host, 'secure');
  assert.equal(proxyFor(settings, 'straight.example', 443), null);
  assert.equal(proxyFor({ ...settings, httpsProxy: null }, 'api.example', 443), null);
});
