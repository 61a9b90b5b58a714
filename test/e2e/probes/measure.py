# Runs a program and waits for it, as its parent does: when it is gone, one line on standard error says how long that took and how
# much memory it had at most, its children not counted. Arguments: seconds after which it gets SIGTERM (0: never), the program, its
# arguments.
import json, os, re, signal, sys, time

PAUSE_SECONDS = 0.005

def peak_kib(child, known):
    try:
        with open(f"/proc/{child}/status") as status:
            return int(re.search(r"^VmHWM:\s+(\d+)", status.read(), re.M)[1])
    except (OSError, TypeError):
        return known  # It has no memory any more.

stop_after, program = float(sys.argv[1]), sys.argv[2:]
start = time.monotonic()
child = os.posix_spawn(program[0], program, os.environ)
signal.signal(signal.SIGALRM, lambda *_: os.kill(child, signal.SIGTERM))
signal.setitimer(signal.ITIMER_REAL, stop_after)
peak = 0
while (ended := os.waitpid(child, os.WNOHANG))[0] == 0:
    # What it becomes to end itself is a small program.
    peak = max(peak, peak_kib(child, peak))
    time.sleep(PAUSE_SECONDS)
seconds = time.monotonic() - start
print(json.dumps({"code": os.waitstatus_to_exitcode(ended[1]), "seconds": seconds, "peakMb": peak * 1.024e-3}), file=sys.stderr)
