import { InvalidArgumentError, Argument, type Command } from 'commander';
import { RESOURCES, type Resource } from '../../core/contract/resources.ts';
import { flagValue } from '../flag-value.ts';
import type { Shard } from '../push/shard.ts';
import { count } from '../settings/reading.ts';

/** What names the rows of a run, for every command that reads CSV files. */
export interface SourceOptions {
  readonly resource: Resource;
  readonly file: readonly string[];
  readonly skipRecords?: number;
  readonly maxRecords?: number;
  readonly shard?: Shard;
  /** Whether messages may repeat values of cells. */
  readonly showValues?: boolean;
}

/** More than any file has; a larger number is a slip of the finger. */
const MOST_ROWS = 1_000_000_000;

/** Declares the arguments and flags of `SourceOptions`. */
export function declareSource(command: Command): void {
  command
    .addArgument(new Argument('<resource>', `what the rows are: ${RESOURCES.join(', ')}`).choices(RESOURCES))
    .argument('<file...>', 'CSV files; several are one run')
    .option('--skip-records <n>', 'leave out the first rows', flagValue(count({ min: 0, max: MOST_ROWS })))
    .option('--max-records <n>', 'take so many rows at most', flagValue(count({ max: MOST_ROWS })))
    .option(
      '--shard <i/n>',
      'take the accounts of part i of n, for several processes side by side',
      readShard,
    )
    .option('--show-values', 'messages of the platform may repeat values of cells');
}

function readShard(text: string): Shard {
  const match = /^([1-9]\d{0,4})\/([1-9]\d{0,4})$/.exec(text);
  const [index, total] = [Number.parseInt(match?.[1] ?? '', 10), Number.parseInt(match?.[2] ?? '', 10)];
  if (!match || index > total) throw new InvalidArgumentError('give i/n with i from 1 to n, such as 2/4.');
  return { index, count: total };
}
