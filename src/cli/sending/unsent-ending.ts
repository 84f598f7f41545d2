import type { Interruption } from '../command/interruption.ts';
import type { Ending } from '../output/run/run-document.ts';
import type { StageEnd } from '../push/stage/stage.ts';

/**
 * The ending of a command that has read files and sent nothing. `next`: the next step for each way in which reading ended. Only a command
 * that reads the journal finds conflicts with it.
 */
export function unsentEnding(
  kind: StageEnd['kind'],
  interruption: Interruption,
  next: Readonly<Partial<Record<StageEnd['kind'], string | null>>>,
): Ending {
  const invalid = 'INPUT_INVALID';
  const exits = { staged: 'OK', invalid, conflicting: invalid, interrupted: interruption.exit() } as const;
  return { exit: exits[kind], resumable: false, next: next[kind] ?? null };
}
