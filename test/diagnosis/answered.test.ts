// A failed lookup, connection or time-out is over once the same host or service answered, if only to refuse.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { diagnose } from '../../src/diagnosis/diagnose.ts';
import { CAPTURE, cause, matched, pack, seen } from './builders.ts';

const API = '0123456789abcdef0123456789abcdef.gr7.eu-west-1.eks.amazonaws.com';
const lookup = (host: string): string =>
  `dial tcp: lookup ${host} on 10.0.0.2:53: read udp 10.0.0.9:4242->10.0.0.2:53: i/o timeout`;
const both = pack([
  cause('dns', { phase: 'kernel', explains: [{ id: 'refused', withinMs: null, onlyIfBefore: false }] }),
  cause('refused', { phase: 'registration' }),
]);

function verdictOf(
  failed: string,
  answer: string,
  at: { failed: readonly number[]; refused: readonly number[] },
  stream = 'kubelet',
) {
  const found = [
    seen('dns/s', at.failed, {}, { message: failed }),
    seen('refused/s', at.refused, {}, { message: answer, stream }),
  ];
  return diagnose(both, matched(400, found), [], CAPTURE);
}

const ONCE = { failed: [20], refused: Array.from({ length: 105 }, (_, i) => 25 + i * 3) };

describe('one moment against what lasts', () => {
  test('a refusal by the host that could not be looked up before ends the failure', () => {
    for (const answer of [
      `Get "https://${API}/api/v1/nodes": x509: certificate signed by unknown authority`,
      `Post https://${API}/api/v1/nodes: 401 Unauthorized`,
    ]) {
      const verdict = verdictOf(lookup(API), answer, ONCE);
      assert.equal(verdict.cause?.id, 'refused', answer);
      assert.deepEqual(
        verdict.recovered.map(({ id, by }) => [id, by]),
        [['dns', 'refused/s']],
      );
    }
  });

  test('the cluster’s own refusals name no host; they count where the same component says them', () => {
    assert.equal(
      verdictOf(lookup(API), 'Unable to register node with API server err=Unauthorized', ONCE).cause?.id,
      'refused',
    );
    assert.equal(
      verdictOf(lookup(API), 'Unable to register node with API server err=Unauthorized', ONCE, 'ipamd').cause?.id,
      'dns',
    );
  });

  test('a true failure still wins over its echoes', () => {
    const echo = `Unable to register node err=Post "https://${API}/api/v1/nodes": ${lookup(API)}`;
    assert.equal(verdictOf(lookup(API), echo, ONCE).cause?.id, 'dns');
    assert.equal(
      verdictOf(lookup('api.ecr.eu-west-1.amazonaws.com'), 'Unable to register node err=Unauthorized', ONCE).cause?.id,
      'dns',
    );
    assert.equal(
      verdictOf(lookup(API), `Get "https://other.example/": x509: certificate signed by unknown authority`, ONCE).cause
        ?.id,
      'dns',
    );
  });

  test('a failure that comes last is not over', () => {
    assert.equal(verdictOf(lookup(API), 'err=Unauthorized', { failed: [20, 300], refused: [30, 60] }).cause?.id, 'dns');
  });

  test('what is no failure of a connection is not ended by an answer', () => {
    assert.equal(verdictOf('no space left on device', 'err=Unauthorized', ONCE).cause?.id, 'dns');
  });
});
