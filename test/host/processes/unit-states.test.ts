import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseUnits } from '../../../src/host/processes/unit-states.ts';

test('each block is one unit, and a value may hold what separates', () => {
  const units = parseUnits(
    'Id=kubelet.service\nActiveState=failed\nExecStart={ path=/usr/bin/kubelet ; argv[]=x }\n\nId=x.service\nResult=\n',
  );
  assert.deepEqual(
    units.map((unit) => Object.fromEntries(unit)),
    [
      { Id: 'kubelet.service', ActiveState: 'failed', ExecStart: '{ path=/usr/bin/kubelet ; argv[]=x }' },
      { Id: 'x.service', Result: '' },
    ],
  );
});

test('what systemctl says where systemd does not run is no unit', () => {
  assert.deepEqual(parseUnits("System has not been booted with systemd as init system (PID 1). Can't operate.\n"), []);
});
