// All time limits of delivery and shutdown in one place, so that they can be added up: what follows a stop has to fit into the
// time that systemd gives the unit (TimeoutStopSec), which a test proves.

/** After the signal: is the machine going down, or is only this run to end? */
export const ENDING_LIMIT_MS = 300;
/** What was written before the stop is read to its end. */
export const SURE_LIMIT_WHEN_STOPPED_MS = 300;
/** For the turn to say a verdict: other runs of this boot may be having theirs, each for a second at most. */
export const TURN_LIMIT_MS = 10_000;
export const TURN_LIMIT_WHEN_STOPPED_MS = 500;
/** A verdict is written down within this, or the run goes on without. */
export const KEPT_LIMIT_MS = 500;
/** Nobody may read what a run on the node writes: it goes on after this long, sooner once it is stopped. */
export const OUTPUT_LIMIT_MS = 2_000;
export const OUTPUT_LIMIT_WHEN_STOPPED_MS = 250;
/** A last verdict waits this long for the log service before it stays in the spool, and this long once the run is stopped. */
export const LAST_DELIVERY_MS = 15_000;
export const LAST_DELIVERY_WHEN_STOPPED_MS = 700;
/** Within the former: the logs behind a failure are read. */
export const GATHER_LOGS_MS = 6_000;
/** A delivery that was ended gives back what it holds: the lock of the spool, connections, descriptors. */
export const GIVE_BACK_LIMIT_MS = 1_500;
/** What is followed is closed. */
export const CLOSING_LIMIT_MS = 500;

/** One after the other from the signal to the end of the process; saying and keeping go side by side. */
export const STOP_STEPS_MS: readonly number[] = [
  ENDING_LIMIT_MS,
  SURE_LIMIT_WHEN_STOPPED_MS,
  TURN_LIMIT_WHEN_STOPPED_MS,
  Math.max(KEPT_LIMIT_MS, OUTPUT_LIMIT_WHEN_STOPPED_MS),
  LAST_DELIVERY_WHEN_STOPPED_MS,
  GIVE_BACK_LIMIT_MS,
  CLOSING_LIMIT_MS,
];
/** After this a run that was stopped is left, whatever it still does. */
export const STOP_LIMIT_MS = STOP_STEPS_MS.reduce((sum, step) => sum + step, 0);

/** For what the disk remembers of earlier boots. */
export const STATE_LIMIT_MS = 1_000;
/** Of two runs that start at once one has to watch: long enough that not both give up. */
export const WATCH_LOCK_LIMIT_MS = 5_000;
/** The files of a verdict; what takes longer is left behind. */
export const FILE_LIMIT_MS = 1_500;
/** If the log service has not answered by then, the console is told. */
export const CONSOLE_AFTER_MS = 10_000;

/** The spool: putting an event in, the disk having it, listing what waits, counting it, taking out what was delivered. */
export const PUT_LIMIT_MS = 500;
export const DURABLE_LIMIT_MS = 1_500;
export const LIST_LIMIT_MS = 500;
export const COUNT_LIMIT_MS = 2_000;
export const REMOVE_LIMIT_MS = 1_000;
/** How long an older shipment of this run may take to end by itself, and then to stop. */
export const GIVE_WAY_MS = 1_000;
export const GIVE_WAY_STOP_MS = 1_000;
/** A shipper that does not hear the signal is left behind. */
export const ABORT_GRACE_MS = 250;
