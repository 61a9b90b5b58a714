// The pages that a browser looks at, and how it is set for each look.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../../build/project.ts';
import type { Tab } from './browser.ts';
import { EXECUTABLE } from './node.ts';

export const CAPTURES = [
  'scenarios/al2-ecr-login-hang',
  'scenarios/al2023-clock-skew',
  'scenarios/al2-user-data-script-failed',
  'scenarios/al2023-s3-layer-unreachable',
  'scenarios/bottlerocket-node-unauthorized',
  'healthy/al2023-json',
].map((name) => join(ROOT, 'test', name, 'capture'));
export const WIDTHS = [390, 1280] as const;
export const SCHEMES = ['light', 'dark'] as const;
export const HEIGHT = 844;
/** Pages whose looks are stored: a boot that hangs, and one that went well. */
export const STORED_PAGES = ['0001-capture.html', '0006-capture.html'];
export const STORED_LOOKS = join(import.meta.dirname, 'html-looks.json');

export function each(...args: readonly string[]): { readonly status: number | null; readonly stdout: string } {
  const command = ['analyze', ...CAPTURES, '--each', '--prefix', 'never', ...args];
  const { status, stdout } = spawnSync(EXECUTABLE, command, { encoding: 'utf8', timeout: 120_000 });
  return { status, stdout };
}

export async function open(tab: Tab, file: string, width: number, scheme: string): Promise<void> {
  const metrics = { width, height: HEIGHT, deviceScaleFactor: 1, mobile: width < 500 };
  await tab.send('Emulation.setDeviceMetricsOverride', metrics);
  await tab.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
  await tab.open(`file://${file}`);
}
