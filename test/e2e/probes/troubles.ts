// What may befall a node's network, brought about while it runs: each gives what takes it away again.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DnsAnswer } from '../../host/dns-server.ts';
import { type ImdsData, ORDINARY_INSTANCE } from '../imds.ts';
import type { Vpc } from '../vpc.ts';
import { NAME_SERVER_ADDRESS } from './name-server.ts';
import type { Make } from './nodes.ts';

const START_LIMIT_MS = 5_000;

/** The metadata service answers so; null: there is no such item. */
export function metadata(answers: Readonly<Record<string, ImdsData[string] | null>>): Make {
  const set = ({ imds }: Parameters<Make>[0], values: typeof answers): void => {
    for (const [path, answer] of Object.entries(values))
      if (answer === null) imds.remove(path);
      else imds.set(path, answer);
  };
  const ordinary = Object.fromEntries(Object.keys(answers).map((path) => [path, ORDINARY_INSTANCE[path] ?? null]));
  return (node) => {
    set(node, answers);
    return () => set(node, ordinary);
  };
}

/** The endpoints or the API server answer otherwise. */
export function vpc(changed: Vpc, ordinary: Vpc = {}): Make {
  return (node) => {
    node.setVpc({ ...ordinary, ...changed });
    return () => node.setVpc(ordinary);
  };
}

/** Packets to the addresses are lost on the way, as behind a security group. */
export function dropped(...addresses: readonly string[]): Make {
  return firewall(`ip daddr { ${addresses.join(', ')} } drop`);
}

/** Connections to the addresses are refused. */
export function refused(...addresses: readonly string[]): Make {
  return firewall(`ip daddr { ${addresses.join(', ')} } tcp dport { 80, 443 } reject with tcp reset`);
}

function firewall(rule: string): Make {
  return command(
    `nft 'table inet trouble { chain c { type filter hook input priority 0; ${rule}; }; }'`,
    'nft delete table inet trouble',
  );
}

/** Names that do not stand in /etc/hosts any more, and the name server's answers; null: nobody listens at its address. */
export function names(hosts: readonly string[], answers: Readonly<Record<string, DnsAnswer>> | null): Make {
  return async (node) => {
    const file = node.path('/etc/hosts');
    const known = readFileSync(file, 'utf8');
    const isKept = (line: string): boolean => !hosts.some((host) => line.endsWith(` ${host}`));
    writeFileSync(file, known.split('\n').filter(isKept).join('\n'));
    await node.shell(`ip address add ${NAME_SERVER_ADDRESS}/32 dev lo`);
    const server =
      answers === null
        ? null
        : node.beside(process.execPath, [join(import.meta.dirname, 'name-server.ts'), JSON.stringify(answers)]);
    await server?.line((line) => line === 'ready', START_LIMIT_MS);
    return async () => {
      writeFileSync(file, known);
      await server?.stop('SIGKILL');
      await node.shell(`ip address del ${NAME_SERVER_ADDRESS}/32 dev lo`);
    };
  };
}

/** A file of the node says something else, or is not there. */
export function file(path: string, change: (text: string) => string): Make {
  return (node) => {
    const place = node.path(path);
    const text = readFileSync(place, 'utf8');
    writeFileSync(place, change(text));
    return () => writeFileSync(place, text);
  };
}

/** A shell command, and the one that takes it back. */
export function command(make: string, undo: string): Make {
  return async (node) => {
    await node.shell(make);
    return () => node.shell(undo);
  };
}

/** Said by the kernel's list alone: real swap would be the host's. */
export const swapOn: Make = command(
  `printf 'Filename\\t\\t\\t\\tType\\t\\tSize\\t\\tUsed\\t\\tPriority\\n/dev/nvme1n1p2                          partition\\t2097148\\t\\t0\\t\\t-2\\n' >/root/swaps
   mount --bind /root/swaps /proc/swaps`,
  'umount /proc/swaps',
);

export function all(...makes: readonly Make[]): Make {
  return async (node) => {
    const undos: Awaited<ReturnType<Make>>[] = [];
    const undoAll = async (): Promise<void> => {
      const failures: unknown[] = [];
      for (const undo of undos)
        try {
          await undo();
        } catch (error) {
          failures.push(error);
        }
      if (failures.length > 0) throw failures[0];
    };
    try {
      for (const make of makes) undos.unshift(await make(node));
    } catch (error) {
      // What was made would outlive the test, and the test would wait for it.
      await undoAll();
      throw error;
    }
    return undoAll;
  };
}
