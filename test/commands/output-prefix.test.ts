import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Ancestor, isReadAgain } from '../../src/commands/output-prefix.ts';

function chain(...names: string[]): Ancestor[] {
  return names.map((name, index) => ({ name, pid: index === names.length - 1 ? 1 : 1000 - index }));
}

const NOWHERE = { isTerminal: false, isJournal: false, inService: false, ancestors: chain('bash', 'sshd', 'systemd') };

const CASES = [
  ['a pipe in a login', NOWHERE, false],
  ['user data under cloud-init', { ...NOWHERE, ancestors: chain('part-001', 'cloud-init', 'systemd') }, true],
  [
    'user data under cloud-init, as a service',
    { ...NOWHERE, inService: true, ancestors: chain('part-001', 'cloud-init', 'systemd') },
    true,
  ],
  [
    'a unit whose output goes to the journal',
    { ...NOWHERE, isJournal: true, inService: true, ancestors: chain('systemd') },
    true,
  ],
  ['a unit whose script pipes into a log', { ...NOWHERE, inService: true, ancestors: chain('bash', 'systemd') }, true],
  [
    'SSM Run Command',
    {
      ...NOWHERE,
      inService: true,
      ancestors: chain('sh', 'ssm-document-wo', 'ssm-agent-worke', 'amazon-ssm-agen', 'systemd'),
    },
    false,
  ],
  [
    'a terminal program that a user service started',
    { ...NOWHERE, inService: true, ancestors: chain('bash', 'gnome-terminal-', 'systemd', 'systemd') },
    false,
  ],
  [
    'a terminal, wherever it is',
    { ...NOWHERE, isTerminal: true, isJournal: true, ancestors: chain('cloud-init', 'systemd') },
    false,
  ],
] as const;

for (const [name, surroundings, expected] of CASES)
  test(`${name}: ${expected ? 'prefix' : 'none'}`, () => assert.equal(isReadAgain(surroundings), expected));
