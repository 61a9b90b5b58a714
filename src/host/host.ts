// The shapes of the one door to the machine: files, child processes, clock and private folders. Holds no behaviour, so that
// a test can pass a plain object.

/** Why the door refused. The sources turn each of these into a note with the same code. */
export type RefusalCode =
  | 'missing'
  | 'unreadable'
  | 'directory'
  | 'fifo'
  | 'device'
  | 'socket'
  | 'symlink'
  | 'symlink-outside'
  | 'symlink-loop'
  | 'read-failed'
  | 'mount-stuck'
  | 'pseudo'
  | 'watch-limit'
  | 'command-missing'
  | 'temporary-folder';

export class HostError extends Error {
  readonly code: RefusalCode;
  /** What the wording may add: a path, a system error code. */
  readonly detail: string;

  constructor(code: RefusalCode, detail: string, options?: ErrorOptions) {
    super(`${code}: ${detail}`, options);
    this.name = 'HostError';
    this.code = code;
    this.detail = detail;
  }
}

/** Bytes to be pulled. `read` puts up to `into.length` bytes at the start of `into` and says how many; 0 is the end. */
export interface ByteSource {
  /** True where the bytes are not those of the file, so that a place among them is none in the file. */
  readonly isRewritten?: boolean;
  read(into: Buffer): Promise<number>;
  close(): Promise<void>;
}

export interface OpenFile extends ByteSource {
  /** Its descriptor in this process: names the open file itself, whatever became of its path. */
  readonly fd?: number;
  readonly sizeBytes: number;
  /** Bytes that the file really takes on disk; far below `sizeBytes` for a sparse one. */
  readonly allocatedBytes: number;
  readonly mtimeMs: number;
  /** Permission bits, as stat(2) gives them. */
  readonly mode?: number;
  /** Reads at a place and leaves the position of `read` alone. */
  readonly readAt: (into: Buffer, position: number) => Promise<number>;
}

/** What an open file is at one moment. */
export interface FileState {
  readonly sizeBytes: number;
  readonly allocatedBytes: number;
  readonly mtimeMs: number;
}

/** An open file that is followed: it stays the same file, whatever becomes of its path. */
export interface FollowedFile {
  /** Device and inode: no other file has it as long as this one is open. */
  readonly identity: string;
  /** @throws HostError */
  state(): Promise<FileState>;
  /** Bytes read, 0 at the end. @throws HostError */
  readAt(into: Buffer, position: number): Promise<number>;
  /** Calls back after each write and each change of its names, until it is closed. @throws HostError `watch-limit` */
  watch(onChange: (wasMoved: boolean) => void): void;
  /** Hands out the lines that are written from now on. One at a time. @throws HostError `watch-limit` */
  tail(onLine: (line: string) => void, onEnd: () => void): LineTail;
  /** Ends the watch and the tail too. */
  close(): Promise<void>;
}

/**
 * Lines without their line feed, one char a byte (latin1). It ends by itself as soon as it could lose or heap up bytes: the file was moved
 * or became smaller, or more than 64 KiB wait. All that it had not handed out must then be read by other means.
 */
export interface LineTail {
  /** Size of the file when the tail began: the first line that it hands out begins there. */
  readonly startBytes: number;
  /** True while bytes that it knows of are on their way. */
  readonly isReading: boolean;
  /** Looks at the file as if it had been told of a change. */
  look(): void;
  stop(): void;
}

export interface GlobSurvey {
  /** Names of everything but folders, for each folder that may hold what a glob names. */
  readonly listings: ReadonlyMap<string, readonly string[]>;
  /** Folders in which one of these names, if it came or went, would change the survey. */
  readonly folders: ReadonlyMap<string, readonly RegExp[]>;
  /** Device and inode of what a path leads to, null if that is nothing: of a surveyed folder as it was, of a file as it is now. */
  identityOf(path: string): Promise<string | null>;
}

export interface FolderWatch {
  /** Device and inode of the folder: another one may stand at its path by now. */
  readonly identity: string;
  close(): void;
}

export type EntryKind = 'file' | 'directory' | 'symlink' | 'fifo' | 'socket' | 'device';

export interface FolderEntry {
  /** Path below the folder that was walked, with `/`. */
  readonly path: string;
  readonly kind: EntryKind;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
}

export interface FolderWalk {
  /** Everything but folders, sorted by path. */
  readonly entries: readonly FolderEntry[];
  /** Folders that could not be listed. */
  readonly refused: readonly { readonly path: string; readonly code: RefusalCode }[];
  /** True where folders deeper than the limit were left out. */
  readonly depthReached: boolean;
  /** True where the walk ended at its limit of entries. */
  readonly entriesReached: boolean;
}

export interface ChildRequest {
  /** An absolute path, or a name to be found in the fixed list of program folders. */
  readonly command: string;
  readonly args: readonly string[];
  /** Null for one that is followed: it runs until it ends, is closed, or the signal is aborted. */
  readonly timeLimitMs: number | null;
  readonly signal?: AbortSignal | undefined;
}

export interface ChildEnd {
  readonly exitCode: number | null;
  /** Who ended it, null if it ended by itself. `closed`: its reader had enough. */
  readonly endedBy: 'time-limit' | 'abort' | 'closed' | null;
  /** The first 8 KiB of its standard error. */
  readonly stderr: string;
}

/** A running program; its standard output is pulled. `close` kills it if it still runs. */
export interface Child extends ByteSource {
  readonly ended: Promise<ChildEnd>;
  /** Interrupts its wait, by SIGWINCH: a program that does not handle that signal does not notice. */
  nudge?(): void;
}

export interface Clock {
  /** Unix time in ms. */
  wallMs(): number;
  /** Ms since the boot of this machine, not counting suspend; the same clock that journald stamps with. */
  monotonicMs(): number;
}

export interface PrivateFile {
  readonly path: string;
  write(chunk: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** A folder (0700) that nobody else can read and that is gone when the process ends, unless by SIGKILL. */
export interface PrivateFolder {
  readonly path: string;
  /** A new file (0600) under a number. @throws HostError `temporary-folder`, also later while writing, e.g. on a full disk */
  createFile(): Promise<PrivateFile>;
  /** A new folder that holds links `0.journal`, `1.journal` … to the files: journalctl reads folders, and would read links of theirs. */
  createLinks(files: readonly string[], extension: string): Promise<string>;
  /** At once, so that it can be called while the process ends. */
  remove(): void;
}

export interface Host {
  /** The prefix that every live path is read under (absolute, without a trailing slash), null for the machine itself. */
  readonly root: string | null;
  readonly clock: Clock;
  /** Kind of what stands at the path itself, links not followed. @throws HostError */
  kindOf(path: string): Promise<FolderEntry>;
  /** Device and inode of what stands at the path, links followed: another file system mounted there has others. @throws HostError */
  identityOf(path: string): Promise<string>;
  /** Refuses a folder that the kernel makes up as it is read, such as /proc. The path is as `realPath` gives it. @throws HostError `pseudo` */
  refusePseudo(folder: string): Promise<void>;
  /** The path with all links followed: only for a path that the user named. @throws HostError */
  realPath(path: string): Promise<string>;
  /** Opens a regular file; never blocks and follows no link. @throws HostError */
  openFile(path: string): Promise<OpenFile>;
  /** Where a path below the root really lies: links are followed, but stay in the root and end in `folders`. @throws HostError */
  resolveBelowRoot(path: string, folders: readonly string[]): Promise<string>;
  /** Opens what `resolveBelowRoot` finds, and makes sure that this is what was opened. @throws HostError */
  openBelowRoot(path: string, folders: readonly string[]): Promise<OpenFile>;
  /** `depthMax`: 1 lists the folder alone; at most 12, which is also the default. */
  walkFolder(folder: string, depthMax?: number): Promise<FolderWalk>;
  /** Paths below the root (written as seen from inside) that a glob of `*` and `**` names, sorted. */
  expandGlob(glob: string): Promise<readonly string[]>;
  /** Opens like `openBelowRoot`. @throws HostError */
  followFile(path: string, folders: readonly string[]): Promise<FollowedFile>;
  /** What stands below the root where globs of `*` and `**` may find something, now or later. */
  surveyGlobs(globs: readonly string[]): Promise<GlobSurvey>;
  /** Tells each name that comes, goes or is exchanged in a folder below the root; null: some name, or the folder itself. @throws HostError */
  watchFolder(path: string, onName: (name: string | null) => void): Promise<FolderWatch>;
  /** Full path of a program, null if it is in none of the program folders. */
  findCommand(name: string): string | null;
  /** @throws HostError `command-missing` */
  run(request: ChildRequest): Child;
  /** @throws HostError */
  openStdin(): ByteSource;
  openPrivateFolder(): PrivateFolder;
  /** What is free for this user where private folders are made, null if it cannot be told. */
  freeBytes(): Promise<number | null>;
  /** Boot id of the running kernel, 32 hex digits; null where the system has none. */
  bootId(): Promise<string | null>;
  /** True if the root is that of the running kernel: then its processes, clock and network may be asked. */
  isRootOfThisBoot(): Promise<boolean>;
}
