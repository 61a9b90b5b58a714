// Keeps V8 small on a node that has other things to do. What the run does it does not know, only how much it read.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const MB = 1024 * 1024;
/** A log of this size is worth the compilers: without them a MB takes 20 ms of processor time, with them 3. A whole boot writes 2 MB. */
const WATCH_BYTES = 8 * MB;
/** Where nothing else waits for the processor; a capture of a few files stays below it. */
const READ_BYTES = MB;
const COMPILERS = ['maglev', 'turbofan'];

export interface SmallEngine {
  /** So many bytes in all are to be read, or were read and looked at. */
  reached(bytes: number): void;
}

/** For `watch`. Takes effect at once and for the whole process. The figures are of a good boot, Node 24 on x64, with 105 MB resident before. */
export function keepEngineSmall(): SmallEngine {
  // New objects keep the 1 MB that they start with, which a short rush makes 16 for good: 10 MB less.
  setFlagsFromString('--semi-space-growth-factor=1');
  // 9 MB less at the same processor time: the compilers bring their own code and data, and what they make of ours.
  return startPlain(WATCH_BYTES);
}

/** For a run that may be over soon: 45 ms of processor time less for a small capture. `onMuch` is called once there is much to read. */
export function startShort(onMuch?: () => void): SmallEngine {
  return startPlain(READ_BYTES, onMuch);
}

/** Begins without what only pays in a long run: optimizing compilers, and tidying up expressions that are tried a few times. */
function startPlain(muchBytes: number, onMuch?: () => void): SmallEngine {
  setFlagsFromString('--no-regexp-peephole-optimization');
  for (const compiler of COMPILERS) setFlagsFromString(`--no-${compiler}`);
  let isMuch = false;
  return {
    reached(bytes) {
      if (isMuch || bytes < muchBytes) return;
      isMuch = true;
      for (const compiler of COMPILERS) setFlagsFromString(`--${compiler}`);
      onMuch?.();
    },
  };
}

/**
 * For a run that reads much at once. The heap does not keep what a rush of short-lived objects made it grow by: with a journal of
 * 600,000 entries 110 MB resident at most instead of 186, in the same time (Node 24 on x64).
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--optimize-for-size');
}

/** For a run over thousands of files: room for new objects that stays small. With 8,000 logs 100 MB resident at most instead of 162, in less time. */
export function keepYoungSmall(): void {
  setFlagsFromString('--max-semi-space-size=2');
  setFlagsFromString('--semi-space-growth-factor=1');
}

/**
 * For a run over many captures, after each of them: what it left behind is gone before the next. 200 bundles take 9 to 13 MB more than one
 * instead of 54, for half as much processor time again.
 */
export function garbageCollector(): () => void {
  keepHeapSmall();
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
