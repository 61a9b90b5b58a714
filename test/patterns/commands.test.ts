// What the pack tells people to run: right in every partition, safe to paste, and nothing is destroyed before it was looked at.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../build/project.ts';
import { compilePack } from '../../src/signatures/compile.ts';
import { loadFolder } from '../../src/signatures/load-folder.ts';

const pack = compilePack(loadFolder(join(ROOT, 'patterns')));
const steps = pack.causes.flatMap(({ id, check, remedy }) =>
  [...check, ...remedy].map(({ text, command }) => ({ id, text, command: command ?? '' })),
);

/** Steps whose text or command has what `of` finds. */
function found(of: (step: (typeof steps)[number]) => string | undefined): string[] {
  return steps.flatMap((step) => {
    const what = of(step);
    return what === undefined ? [] : [`${step.id}: ${what}: ${step.command}`];
  });
}

/**
 * `eks.amazonaws.com/…` and the like are names of Kubernetes labels and API groups, `spot.amazonaws.com` is one of a service-linked role:
 * the same everywhere. Names of endpoint services begin with `cn.com.amazonaws` in China.
 */
const ONE_PARTITION =
  /arn:aws:|(?<!\b(?:crd\.k8s|eks|vpc|k8s|service-name spot))\.amazonaws\.com|\bcom\.amazonaws\.|\b\d{12}(?=\.dkr)/;

test('no command names the partition, domain or registry of one part of AWS', () => {
  assert.deepEqual(
    found(({ text, command }) => ONE_PARTITION.exec(command)?.[0] ?? /\bcom\.amazonaws\./.exec(text)?.[0]),
    [],
  );
});

test('no placeholder can be taken for a redirection', () => {
  assert.deepEqual(
    found(({ text, command }) => /<[a-z][a-z0-9 _-]*>/i.exec(`${command}\n${text}`)?.[0]),
    [],
  );
});

/** What cannot be taken back. Deleting a pod of a DaemonSet only starts it again. */
const DESTROYS =
  /\b(?:mkfs(?:\.\w+)?|wipefs(?! -n)|parted|sgdisk|dd of=|rm -[rf]+|rm \/|terminate-instances|delete-[a-z-]+)|\bkubectl [^;|&]*\bdelete (?!pods?\b)/;
const FORMATS = /\b(?:mkfs(?:\.\w+)?|wipefs(?! -n)|parted|sgdisk)\b/;
const LOOKS_AT_DISKS = /lsblk -f|blkid|wipefs -n/;

test('nothing is destroyed before it was looked at', () => {
  const blind = pack.causes.flatMap(({ id, check, remedy }) => {
    const commands = [...check, ...remedy].flatMap(({ command }) =>
      command === undefined || command === null ? [] : [command],
    );
    return commands
      .filter((command, n) => {
        const at = DESTROYS.exec(command);
        if (at === null) return false;
        const before = [...commands.slice(0, n), command.slice(0, at.index)].join('\n');
        return FORMATS.test(command) ? !LOOKS_AT_DISKS.test(before) : before.trim().length < 10;
      })
      .map((command) => `${id}: ${command}`);
  });
  assert.deepEqual(blind, []);
});

test('checks only look', () => {
  const CHANGES =
    /\b(?:aws [a-z0-9-]+ (?:create|delete|update|attach|put|modify|terminate|associate|add)-|kubectl [^;|&]*\b(?:delete|apply|edit|patch|set env (?![^;|&]*--list)|rollout restart)|systemctl (?:restart|start|stop|enable|disable)|helm (?:upgrade|install)|mkfs|rm -)/;
  const changing = pack.causes.flatMap(({ id, check }) =>
    check.filter(({ command }) => CHANGES.test(command ?? '')).map(({ command }) => `${id}: ${command}`),
  );
  assert.deepEqual(changing, []);
});
