import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seaConfig } from '../../build/executable.ts';

const WARM = { program: 'program.js', code: 'program.code' };

test('the compiled code goes only into the executable of the processor that made it; any other runs the bundle itself', () => {
  const [own, foreign] = [seaConfig(WARM, 'blob'), seaConfig(null, 'blob')];
  assert.deepEqual([own['main'], own['assets']], ['sea-main.cjs', WARM]);
  assert.deepEqual([foreign['main'], foreign['assets']], ['eks-bootstrap-analyzer.cjs', undefined]);
});

test('the executable ignores NODE_OPTIONS', () => {
  assert.equal(seaConfig(WARM, 'blob')['execArgvExtension'], 'none');
});
