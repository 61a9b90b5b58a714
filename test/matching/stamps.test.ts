import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isoMs, latestDatedMs, yearlessMs } from '../../src/matching/stamps.ts';

function iso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

test('reads the ISO stamps of the log formats', () => {
  assert.equal(iso(isoMs('2024-07-04T16:24:02.987888869Z')), '2024-07-04T16:24:02.987Z');
  assert.equal(iso(isoMs('2024-03-20T15:00:46+0000')), '2024-03-20T15:00:46.000Z');
  assert.equal(iso(isoMs('2024-09-12 12:57:56,263')), '2024-09-12T12:57:56.263Z');
  assert.equal(iso(isoMs('2024-09-12 12:57:56 UTC')), '2024-09-12T12:57:56.000Z');
  assert.equal(iso(isoMs('2024-09-12T12:57:56-07:30')), '2024-09-12T20:27:56.000Z');
  assert.equal(iso(isoMs('2024-09-12T02:57:56+05:30')), '2024-09-11T21:27:56.000Z');
});

test('refuses what is no stamp', () => {
  for (const text of [
    '',
    '2024-09-12',
    'yesterday',
    '2024-09-12T12:57',
    'x2024-09-12T12:57:56Z',
    '2024-09-12T12:57:56Zx',
    '1700000000',
  ])
    assert.equal(isoMs(text), null);
});

function placed(month: string, day: string, reference: string): string | null {
  return iso(yearlessMs(month, day, '10:44:19', { referenceMs: Date.parse(reference) }));
}

test('places a stamp without a year next to the reference', () => {
  assert.equal(placed('Feb', '14', '2025-02-14T12:00:00Z'), '2025-02-14T10:44:19.000Z');
  assert.equal(placed('Feb', '14', '2025-07-01T00:00:00Z'), '2025-02-14T10:44:19.000Z');
});

test('places December before a reference in January, and January after one in December', () => {
  assert.equal(placed('Dec', '31', '2025-01-01T00:10:00Z'), '2024-12-31T10:44:19.000Z');
  assert.equal(placed('Jan', '1', '2024-12-31T23:50:00Z'), '2025-01-01T10:44:19.000Z');
});

test('knows months by number (klog) and keeps parts of a second', () => {
  const clock = { referenceMs: Date.UTC(2024, 5, 1) };
  assert.equal(iso(yearlessMs('06', '06', '19:33:03.828406', clock)), '2024-06-06T19:33:03.828Z');
  assert.equal(yearlessMs('Foo', '06', '19:33:03', clock), null);
  assert.equal(yearlessMs('13', '06', '19:33:03', clock), null);
});

test('finds the latest stamp with a year in a text', () => {
  assert.equal(
    iso(latestDatedMs('Feb 14 10:44:19 host a: x\ntime="2025-02-14T10:44:20Z" level=info\n2025-02-14T10:44:18Z')),
    '2025-02-14T10:44:20.000Z',
  );
  assert.equal(
    iso(latestDatedMs("Cloud-init v. 22.2.2 running 'init' at Mon, 11 May 2026 17:25:13 +0000.")),
    '2026-05-11T17:25:13.000Z',
  );
  assert.equal(
    iso(latestDatedMs('{"__REALTIME_TIMESTAMP":"1749658964766132","MESSAGE":"until 2031-01-01 00:00:00"}')),
    '2025-06-11T16:22:44.766Z',
  );
  assert.equal(iso(latestDatedMs('__REALTIME_TIMESTAMP=1749658964766132\nMESSAGE=x\n')), '2025-06-11T16:22:44.766Z');
  assert.equal(latestDatedMs('Feb 14 10:44:19 host a: nothing with a year'), null);
});
