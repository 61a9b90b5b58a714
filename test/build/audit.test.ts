import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeAudit } from '../../build/audit.ts';

const counts = { info: 0, low: 0, moderate: 0, high: 0, critical: 0, total: 0 };

test('nothing known, or nothing grave, is no failure', () => {
  assert.deepEqual(judgeAudit(JSON.stringify({ vulnerabilities: {}, metadata: { vulnerabilities: counts } })), {
    failed: false,
    sentence: 'no known weakness in what is shipped',
  });
  const low = {
    vulnerabilities: { yaml: { severity: 'low' } },
    metadata: { vulnerabilities: { ...counts, low: 1, total: 1 } },
  };
  assert.deepEqual(judgeAudit(JSON.stringify(low)), {
    failed: false,
    sentence: 'known weaknesses: yaml (low) in what is shipped',
  });
});

test('something grave is', () => {
  for (const severity of ['high', 'critical'])
    assert.equal(
      judgeAudit(
        JSON.stringify({
          vulnerabilities: { tail: { severity } },
          metadata: { vulnerabilities: { ...counts, [severity]: 1, total: 1 } },
        }),
      ).failed,
      true,
    );
});

test('a registry that does not answer is said and fails nothing', () => {
  for (const output of [null, '', 'not JSON', '{}', JSON.stringify({ message: 'request failed', error: {} })]) {
    const { failed, sentence } = judgeAudit(output);
    assert.equal(failed, false);
    assert.match(sentence, /^not audited: \w/);
  }
});
