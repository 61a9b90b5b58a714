import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Glimpse, momentsOf, referenceMs } from '../../src/commands/reference-time.ts';
import { yearlessMs } from '../../src/matching/stamps.ts';

function glimpse(head: string, options: Partial<Glimpse> & { readonly end?: string } = {}): Glimpse {
  return {
    head: Buffer.from(head),
    tail: Buffer.from(options.end ?? ''),
    exported: options.exported ?? false,
    mtimeMs: options.mtimeMs ?? null,
  };
}

function iso(...glimpses: Glimpse[]): string {
  return new Date(referenceMs(glimpses.map(momentsOf), Date.parse('2030-01-01T00:00:00Z'))).toISOString();
}

test('the latest stamp with a year of all inputs', () => {
  const inputs = [
    glimpse('2024-03-01T10:00:00Z a\n', { end: '2024-03-01T10:05:00Z b\n' }),
    glimpse('2024-03-01T10:03:00Z c\nMar  1 10:09:00 d\n'),
  ];
  assert.equal(iso(...inputs), '2024-03-01T10:05:00.000Z');
});

test('the end of a certificate is no time of the node', () => {
  const line =
    'I0301 10:00:00.000000 1 certificate_manager.go:356] "Certificate expiration is 2025-03-01 09:55:00 +0000 UTC, rotation deadline is 2024-12-20 00:00:00 +0000 UTC"\n';
  assert.equal(iso(glimpse(`2024-03-01T10:00:00Z a\n${line}`)), '2024-03-01T10:00:00.000Z');
});

test('a journal names its times in every entry', () => {
  assert.equal(iso(glimpse('{"MESSAGE":"x","__REALTIME_TIMESTAMP":"1709287500000000"}\n')), '2024-03-01T10:05:00.000Z');
  assert.equal(
    iso(glimpse('__REALTIME_TIMESTAMP=1709287500000000\nMESSAGE=x\n\n', { exported: true })),
    '2024-03-01T10:05:00.000Z',
  );
});

test('without a dated stamp nothing is placed behind the youngest change of an input, or behind now', () => {
  const placed = (month: string, day: string, ...glimpses: Parameters<typeof iso>): string =>
    new Date(yearlessMs(month, day, '10:00:00', { referenceMs: Date.parse(iso(...glimpses)) })!)
      .toISOString()
      .slice(0, 10);
  const changed = glimpse('Mar  1 10:09:00 d\n', { mtimeMs: Date.parse('2024-03-02T00:00:00Z') });
  const older = glimpse('x', { mtimeMs: Date.parse('2023-03-02T00:00:00Z') });
  assert.equal(placed('Mar', '1', changed, older), '2024-03-01');
  assert.equal(placed('Apr', '1', changed, older), '2023-04-01');
  assert.equal(placed('Dec', '31', glimpse('x')), '2029-12-31');
  assert.equal(placed('Jan', '20', glimpse('x')), '2029-01-20');
});
