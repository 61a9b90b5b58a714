// Container logs of the CRI: `2025-01-09T12:57:28.766132542Z stderr F payload`; `P` marks a part of a longer line.
import type { LogFormat } from '../line-state.ts';
import { isoMs } from '../stamps.ts';

const CRI = /^(?<stamp>20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{1,9}(?:Z|[+-]\d\d:\d\d)) (?:stdout|stderr) [FP] /;

export const cri: LogFormat = {
  name: 'cri',
  unwrap(line) {
    const match = CRI.exec(line.text);
    if (match === null) return false;
    line.wallMs = isoMs(match.groups!['stamp']!);
    line.dated = true;
    line.fromContainer = true;
    line.text = line.text.slice(match[0].length);
    return true;
  },
};
