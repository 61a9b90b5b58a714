// The shapes of the door to the running node: what the local probes ask of its kernel, systemd, sockets and small files. Holds
// no behaviour, so that a test can pass a plain object.
import type { EntryKind } from './host.ts';

/** `stuck`: the mount did not answer; `unknown`: it answered with an error. */
export type FileSystemSpace =
  | {
      readonly kind: 'known';
      /** Equal for two paths on one file system. */
      readonly id: string;
      /** Bytes that a user who is not root can still write. */
      readonly availableBytes: number;
      /** As df shows it, 0 to 100. */
      readonly usedPercent: number;
      /** 0 where the file system counts none. */
      readonly inodes: number;
      readonly freeInodes: number;
    }
  | { readonly kind: 'missing' | 'stuck' | 'unknown' };

export interface MemoryTotals {
  readonly totalBytes: number;
  readonly availableBytes: number;
  readonly swapBytes: number;
}

export interface ProcessEntry {
  readonly pid: number;
  readonly parentPid: number;
  readonly ageSeconds: number;
  /** systemd's unit, null if it has none or ps cannot tell. */
  readonly unit: string | null;
  /** The command line in one line, at most 4 KiB; `[name]` where it cannot be read. Never its environment. */
  readonly command: string;
}

/** Properties of one unit, as `systemctl show` names them. */
export type UnitProperties = ReadonlyMap<string, string>;

/** `refused`: nobody listens on it. */
export type SocketAnswer = 'answered' | 'missing' | 'refused';

export type LoopbackAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly body: string }
  | { readonly kind: 'refused' }
  /** It was connected to and gave no answer that could be understood. */
  | { readonly kind: 'failed' };

export interface ToolOutput {
  readonly exitCode: number | null;
  /** The first 256 KiB. */
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Every call ends when its signal is aborted, then with the signal's reason as error, and none touches the node's state.
 * Paths are those of the node; links are followed inside its root. A path on a mount that does not answer throws HostError
 * `mount-stuck`, one that this user may not read `unreadable`.
 */
export interface System {
  /** What stands at the path, null if nothing does. @throws HostError */
  kindOf(path: string): Promise<EntryKind | null>;
  /** A regular file of at most 256 KiB (what is longer is cut), null if there is none. @throws HostError */
  readSmall(path: string, encoding?: 'utf8' | 'latin1'): Promise<string | null>;
  /** Names in a folder, sorted, at most 1,000; empty if there is none. @throws HostError */
  listFolder(path: string): Promise<readonly string[]>;
  space(path: string, signal: AbortSignal): Promise<FileSystemSpace>;
  memory(signal: AbortSignal): Promise<MemoryTotals>;
  /** Of this process and its children nothing is listed. Null if there is no ps. */
  processes(signal: AbortSignal): Promise<readonly ProcessEntry[] | null>;
  /** One entry a unit that systemd knows, in the order asked. Null if systemd does not run here. */
  units(
    names: readonly string[],
    properties: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly UnitProperties[] | null>;
  /** Connects, says `hello`, and waits for the first byte. @throws HostError */
  askSocket(path: string, hello: Uint8Array, signal: AbortSignal): Promise<SocketAnswer>;
  /** GET on 127.0.0.1 without following a redirect; the first 64 KiB of the body. */
  askLoopback(port: number, path: string, signal: AbortSignal): Promise<LoopbackAnswer>;
  /** Runs a program of the node that only shows something. Null if it is not installed. */
  runTool(name: string, args: readonly string[], signal: AbortSignal): Promise<ToolOutput | null>;
}
