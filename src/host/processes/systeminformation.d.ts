// Types of the one module of systeminformation that is used: the package declares only its whole, which is seven times as large in the bundle.
declare module 'systeminformation/lib/memory.js' {
  import type { Systeminformation } from 'systeminformation';
  export function mem(): Promise<Systeminformation.MemData>;
}
