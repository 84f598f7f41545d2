import { InvalidArgumentError, Argument, Option, type Command } from 'commander';
import { RESOURCES, type Resource } from '../../core/contract/resources.ts';
import { flagValue } from '../flag-value.ts';
import { EXACT_DUPLICATES, type ExactDuplicates, type Shard } from '../push/stage-job.ts';
import { count } from '../settings/reading.ts';

/** What names the rows of a run, for every command that reads CSV files. */
export interface SourceOptions {
  readonly resource: Resource;
  readonly file: readonly string[];
  /** Mapping of all the files; the one that lies beside each when left out. */
  readonly map?: string;
  /** False when the files have no control record although the mapping describes one. */
  readonly trailer?: boolean;
  readonly skipRecords?: number;
  readonly maxRecords?: number;
  readonly shard?: Shard;
  /** What becomes of rows that repeat an earlier one in every field; refused when left out. */
  readonly exactDuplicates?: ExactDuplicates;
  /** File for the rows that are refused, as they stand in their source. */
  readonly rejects?: string;
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
    .option('--map <file>', 'mapping file (default: <file>.map.yaml beside the CSV file, if there is one)')
    .option('--no-trailer', 'the files have no control record although the mapping describes one')
    .option('--skip-records <n>', 'leave out the first rows', flagValue(count({ min: 0, max: MOST_ROWS })))
    .option('--max-records <n>', 'take so many rows at most', flagValue(count({ max: MOST_ROWS })))
    .option(
      '--shard <i/n>',
      'take the accounts of part i of n, for several processes side by side',
      readShard,
    )
    .addOption(
      new Option(
        '--exact-duplicates <what>',
        'rows that repeat an earlier one in every field: refuse both, or leave the later one out',
      )
        .choices(EXACT_DUPLICATES)
        .default('error'),
    )
    .option('--rejects <file>', 'write the refused rows to a file, as they are, with the reasons beside it')
    .option('--show-values', 'messages of the platform may repeat values of cells');
}

function readShard(text: string): Shard {
  const match = /^([1-9]\d{0,4})\/([1-9]\d{0,4})$/.exec(text);
  const [index, total] = [Number.parseInt(match?.[1] ?? '', 10), Number.parseInt(match?.[2] ?? '', 10)];
  if (!match || index > total) throw new InvalidArgumentError('give i/n with i from 1 to n, such as 2/4.');
  return { index, count: total };
}
