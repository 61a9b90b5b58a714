// Every generated form of a secret goes, also behind the words of a log line; what stands round it stays.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redactText } from '../../src/redaction/redact.ts';
import { leaksOf } from './corpus.ts';
import { FORMS } from './forms.ts';

const LINE = 'May  6 08:15:44 ip-10-0-1-17 cloud-init[1200]: + ';

test(`none of the ${FORMS.length} forms comes out, alone or in a log line`, (t) => {
  assert.ok(FORMS.length >= 400);
  const leaks = FORMS.flatMap(({ name, text, secrets }) =>
    [text, `${LINE}${text}`].flatMap((line) =>
      leaksOf(redactText(line), secrets).length > 0 ? [`${name}: ${redactText(line)}`] : [],
    ),
  );
  t.diagnostic(`tried ${2 * FORMS.length}, fine ${2 * FORMS.length - leaks.length}`);
  assert.deepEqual(leaks, []);
});

test('the head of the line stays', () => {
  for (const { name, text } of FORMS) assert.ok(redactText(`${LINE}${text}`).startsWith(LINE), name);
});
