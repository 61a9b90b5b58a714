// The program's entry: hands the process to `run` and leaves with the exit code that it returns.
import { leave } from './leave.ts';
import { run } from './run.ts';

// Leaves by itself: an open standard input or an abandoned child must not keep the process. All output is flushed by then.
void run(process).then(leave);
