// Writes a log of many lines, every tenth of which matters, in one of the forms that the reader knows.
import { createRandom } from './random.ts';

type Form = 'journal' | 'plain' | 'json' | 'export';

const IDLE = [
  'I0606 19:33:03.828406    3214 kubelet.go:12] "SyncLoop (PLEG): event for pod" pod="kube-system/x"',
  'I0606 19:33:03.828406    3214 reconciler.go:12] "Volume ‘a’ is mounted" note="Ünïcode \\"quoted\\""',
];
const TELLING = [
  'E0606 19:33:03.828406    3214 a.go:96] "Unable to register node" err="Unauthorized"',
  'E0606 19:33:03.828406    3214 run.go:74] "command failed" err=<\n\topen /a\n\tno such file\n >',
  'Out of memory: Killed process 77',
];

export function carriedText(form: Form, entries: number): Buffer {
  const random = createRandom(3);
  const all = Array.from({ length: entries }, (_, i) =>
    carry(form, i % 10 === 0 ? random.pick(TELLING) : random.pick(IDLE), i),
  );
  return Buffer.concat(all);
}

function carry(form: Form, message: string, index: number): Buffer {
  const lines = message.split('\n');
  switch (form) {
    case 'plain':
      return Buffer.from(lines.map((line) => `${line}\n`).join(''));
    case 'journal':
      return Buffer.from(lines.map((line) => `Jun 06 19:33:03 host kubelet[3214]: ${line}\n`).join(''));
    case 'json':
      return Buffer.from(
        `${JSON.stringify({ ...fields(index), MESSAGE: index % 20 === 0 ? [...Buffer.from(message)] : message })}\n`,
      );
    case 'export':
      return exported(message, index);
  }
}

function fields(index: number): Record<string, string> {
  return {
    __CURSOR: `s=1;i=${index}`,
    __REALTIME_TIMESTAMP: String(1_749_658_964_766_132 + index * 1000),
    __MONOTONIC_TIMESTAMP: String(21_413_430 + index * 1000),
    _BOOT_ID: '6c7c6013a26343b29e964691ff25d04c',
    SYSLOG_IDENTIFIER: 'kubelet',
    _PID: '3214',
  };
}

function exported(message: string, index: number): Buffer {
  const head = Object.entries(fields(index))
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
  if (!message.includes('\n')) return Buffer.from(`${head}MESSAGE=${message}\n\n`);
  const body = Buffer.from(message);
  const length = Buffer.alloc(8);
  length.writeUInt32LE(body.length);
  return Buffer.concat([Buffer.from(`${head}MESSAGE\n`), length, body, Buffer.from('\n\n')]);
}
