// The EC2 console and dmesg: `[   12.345678] ` since boot, and systemd's status lines `[  OK  ] `, `[FAILED] `.
import { levelOfWord } from '../levels.ts';
import { type LogFormat, nameProcess } from '../line-state.ts';

const SINCE_BOOT = /^\[ *(?<seconds>\d{1,9}\.\d{3,9})\](?:\[ *[TC]\d+\])? ?/;
const STATUS =
  /^(?:\[(?<status>  OK  | OK |FAILED|DEPEND| TIME | WARN | INFO |SKIP|\*{1,6} *| \** *)\] |         (?=(?:Starting|Stopping|Mounting|Unmounting|Activating|Reloading) ))/;

export const sinceBoot: LogFormat = {
  name: 'since-boot',
  unwrap(line) {
    const match = SINCE_BOOT.exec(line.text);
    if (match === null) return false;
    line.monotonicMs ??= Number(match.groups!['seconds']) * 1000;
    line.text = line.text.slice(match[0].length);
    if (line.identifier === null && !NAMED.test(line.text)) line.stream = 'kernel';
    return true;
  },
};

/** `cloud-init[1829]: …` behind a stamp of the console or of another log format; in pastes a few go without their number. */
const NAMED =
  /^(?:(?<identifier>[A-Za-z_(][\w.@()/-]{0,63})\[(?<pid>\d{1,10})\]|(?<bare>kubelet|nodeadm|dockerd)(?!: (?:command )?not found)): /;

export const named: LogFormat = {
  name: 'named',
  unwrap(line) {
    const match = NAMED.exec(line.text);
    if (match === null) return false;
    nameProcess(line, (match.groups!['identifier'] ?? match.groups!['bare'])!, match.groups!['pid'] ?? null, true);
    line.text = line.text.slice(match[0].length);
    line.stream = null;
    return true;
  },
};

export const systemdStatus: LogFormat = {
  name: 'systemd-status',
  unwrap(line) {
    const match = STATUS.exec(line.text);
    if (match === null) return false;
    const status = match.groups!['status'];
    line.text = line.text.slice(match[0].length);
    line.stream = 'systemd';
    if (status === 'FAILED' || status === 'DEPEND') line.level = levelOfWord('error');
    return true;
  },
};
