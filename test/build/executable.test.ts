import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seaConfig } from '../../build/executable.ts';

test('a code cache goes only into the executable of the processor that made it', () => {
  assert.equal(seaConfig('x64', 'x64', 'blob')['useCodeCache'], true);
  assert.equal(seaConfig('arm64', 'x64', 'blob')['useCodeCache'], false);
});

test('the executable ignores NODE_OPTIONS, and its blob names no path of the build machine', () => {
  const { execArgvExtension, main } = seaConfig('x64', 'x64', 'blob');
  assert.equal(execArgvExtension, 'none');
  assert.equal(main, 'eks-bootstrap-analyzer.cjs');
});
