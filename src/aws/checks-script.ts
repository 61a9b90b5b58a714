// The checks that an administrator can run in AWS, without the values of a node. From source it is read; the build replaces this
// module by one that carries the text.
import { readFileSync } from 'node:fs';

export function readChecksScript(): string {
  return readFileSync(new URL('./checks.sh', import.meta.url), 'utf8');
}
