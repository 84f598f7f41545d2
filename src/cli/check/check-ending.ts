import type { Ending } from '../output/run/run-document.ts';
import type { StageEnd } from '../push/stage/stage.ts';
import type { Interruption } from '../command/interruption.ts';

/** The ending of a command that checks files and sends nothing. `next`: the next step for each way in which reading ended. */
export function checkEnding(
  { kind }: StageEnd,
  interruption: Interruption,
  next: Readonly<Record<'staged' | 'invalid' | 'interrupted', string | null>>,
): Ending {
  // Only a command that reads the journal finds conflicts with it.
  if (kind === 'conflicting') throw new TypeError('a check reads no journal');
  const exits = { staged: 'OK', invalid: 'INPUT_INVALID', interrupted: interruption.exit() } as const;
  return { exit: exits[kind], resumable: false, next: next[kind] };
}
