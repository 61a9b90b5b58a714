// The analyzer as an image carries it: the executable and the shipped unit.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../build/project.ts';
import { EXECUTABLE, EXECUTABLE_ON_NODE } from '../node.ts';

export const ANALYZER = 'eks-bootstrap-analyzer.service';

export const ANALYZER_UNIT = { [ANALYZER]: readFileSync(join(ROOT, 'systemd', ANALYZER), 'utf8') };

export const ANALYZER_BIND = { [EXECUTABLE_ON_NODE]: EXECUTABLE };
