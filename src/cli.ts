// The program's entry: hands the process to `run` and exits with what it returns.
import { run } from './run.ts';

// Exits by itself: an open standard input or an abandoned child must not keep the process. All output is flushed by then.
void run(process).then((code) => process.exit(code));
