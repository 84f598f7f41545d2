import { instantOfClock, type Instant } from '../../core/values/instant.ts';
import type { CommandPorts } from './command-ports.ts';

/** This version of the program was made later, so no clock with an earlier time is right. */
const MADE: Instant = '2026-11-01T00:00:00Z';

/** Warns when the clock of the machine is behind. `newest`: when the newest command of the folder was begun. */
export function warnOfClock({ io, output }: Pick<CommandPorts, 'io' | 'output'>, newest: Instant = ''): void {
  const now = instantOfClock(io.timing.nowMs());
  const [what, at] = newest > MADE ? [RUN, newest] : [PROGRAM, MADE];
  if (now < at) output.emit({ kind: 'warning', code: 'clock_behind', facts: { now, what, at } });
}

const RUN = 'the newest command of the folder was begun at';
const PROGRAM = 'this version of dataimport was made after';
