// What follows a stop fits into the time that systemd gives the unit.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../build/project.ts';
import { CONSOLE_AFTER_MS, LAST_DELIVERY_MS, STOP_LIMIT_MS, STOP_STEPS_MS } from '../../src/sinks/limits.ts';

const UNIT = readFileSync(join(ROOT, 'systemd/eks-bootstrap-analyzer.service'), 'utf8');
/** For systemd to see that the process is gone, and for a slow start of the handler. */
const MARGIN_MS = 200;

test('a run that is stopped is gone before systemd kills it', () => {
  const stopMs = Number(/^TimeoutStopSec=(?<seconds>\d+)s$/m.exec(UNIT)?.groups?.['seconds']) * 1_000;
  assert.ok(stopMs > 0);
  assert.equal(
    STOP_STEPS_MS.reduce((sum, step) => sum + step, 0),
    STOP_LIMIT_MS,
  );
  assert.ok(STOP_LIMIT_MS + MARGIN_MS <= stopMs, `${STOP_LIMIT_MS} ms`);
});

test('the console is told before the run gives up', () => {
  assert.ok(CONSOLE_AFTER_MS < LAST_DELIVERY_MS);
});
