import { Option, type Command } from 'commander';
import { flagValue } from '../flag-value.ts';
import { ON_REJECT, type OnReject } from '../push/ports/run.ts';
import { errorLimit, type ErrorLimit } from '../settings/limits.ts';
import { duration } from '../settings/reading.ts';

/** How far a drain goes, for every command that sends the records of a run. */
export interface DrainFlags {
  /** What the run began with when left out. */
  readonly onReject?: OnReject;
  readonly maxErrors?: ErrorLimit;
  /** From the start of the command, in milliseconds. */
  readonly maxDuration?: number;
}

/** Declares the flags of `DrainFlags`. */
export function declareDraining(command: Command): void {
  command
    .addOption(
      new Option(
        '--on-reject <what>',
        'a refused record ends the run, or is set aside while the rest goes on (default: stop)',
      ).choices(ON_REJECT),
    )
    .option(
      '--max-errors <n>',
      'end the run when more rows than this are invalid or refused; a number, or a share such as 5%',
      flagValue(errorLimit),
    )
    .option(
      '--max-duration <duration>',
      'end the run after this time, as Ctrl-C does; resume goes on',
      flagValue(duration),
    );
}
