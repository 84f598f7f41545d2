import { Argument, InvalidArgumentError, Option, type Command } from 'commander';
import { RESOURCES, type Resource } from '../../core/contract/resources.ts';
import { SOURCE_ENCODINGS, type SourceEncoding } from '../csv/encodings.ts';
import { ON_EXISTING, ON_REJECT, type OnExisting, type OnReject, type Shard } from '../push/ports/run.ts';
import { count, duration, errorLimit, type ErrorLimit, type SettingParser } from '../settings/parsers.ts';

// Arguments and flags that several commands take. Each is described once, here.

export function flagValue<T>(parse: SettingParser<T>): (text: string) => T {
  return (text) => {
    const parsed = parse(text);
    if ('value' in parsed) return parsed.value;
    // Commander puts the text that was typed in front of this.
    throw new InvalidArgumentError(parsed.reason);
  };
}

/** A flag that may be given several times. */
export function collect(text: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, text];
}

export function resourceArgument(name = '<resource>'): Argument {
  return new Argument(name, `what the rows are: ${RESOURCES.join(', ')}`).choices(RESOURCES);
}

function mapOption(): Option {
  return new Option('--map <file>', 'mapping file').default(
    undefined,
    '<file>.map.yaml beside the CSV file, if there is one',
  );
}

export function runArgument(): Argument {
  const which = 'of the command, as `dataimport runs` lists it, or of one of its readings';
  return new Argument('[run]', `id ${which} (default: the newest one)`);
}

export function showValuesOption(): Option {
  return new Option('--show-values', 'let messages repeat values of cells').helpGroup('Output:');
}

/** Divides the accounts between several processes. */
export function shardOption(): Option {
  return new Option(
    '--shard <i/n>',
    'take the accounts of part i of n, for several processes side by side; `auto` takes i and n from Kubernetes, AWS Batch or Slurm',
  ).argParser(parseShard);
}

/** More rows than any file has. A larger number is a typing error. */
export const MOST_ROWS = 1_000_000_000;

/** The rows of a run, for every command that reads CSV files. */
export interface SourceFlags {
  readonly resource: Resource;
  readonly file: readonly string[];
  /** Mapping of all the files; the mapping file beside each when left out. */
  readonly map?: string;
  readonly maxRecords?: number;
  /** `auto`: as the scheduler says. */
  readonly shard?: Shard | 'auto';
  /** A listing of the documents in the file store. */
  readonly documents?: string;
  /** File for copies of the rejected rows. */
  readonly rejects?: string;
  /** Whether messages may repeat values of cells. */
  readonly showValues?: boolean;
}

/** Declares the flags that decide which rows are read, and how. */
export function declareRowFlags(command: Command): void {
  command
    .optionsGroup('Rows:')
    .addOption(mapOption())
    .option('--max-records <n>', 'take at most n rows', flagValue(count({ max: MOST_ROWS })))
    .addOption(shardOption());
}

/** Declares the arguments and flags of `SourceFlags`. */
export function declareSources(command: Command, resource = resourceArgument()): void {
  command
    .addArgument(resource)
    .argument(
      '[file...]',
      'files of CSV or JSON Lines; several are one run; - for standard input; none for the query of a mapping',
    );
  declareRowFlags(command);
  command
    .option(
      '--documents <file>',
      'listing of the file store; a document of a row that is not in it is an error (notes and statements)',
    )
    .optionsGroup('Output:')
    .option('--rejects <file>', 'copy the rejected rows to a file, unchanged, below their header')
    .addOption(showValuesOption());
}

function parseShard(text: string): Shard | 'auto' {
  if (text === 'auto') return text;
  const match = /^([1-9]\d{0,4})\/([1-9]\d{0,4})$/.exec(text);
  const [index, total] = [Number.parseInt(match?.[1] ?? '', 10), Number.parseInt(match?.[2] ?? '', 10)];
  if (!match || index > total)
    throw new InvalidArgumentError('give i/n with i from 1 to n, such as 2/4, or auto.');
  return { index, count: total };
}

/** Flags for keeping what a command exchanges with the platform. */
export interface RecordFlags {
  readonly record?: string;
}

/** Declares the flags of `RecordFlags`. */
export function declareRecord(command: Command): void {
  command.option(
    '--record <file>',
    'keep every request and answer in a file, without secrets and with other values of the same form, for `dataimport parity`',
  );
}

/** How far a run is sent, for every command that sends records. */
export interface SendingFlags extends RecordFlags {
  readonly onReject?: OnReject;
  readonly onExisting?: OnExisting;
  readonly skipInvalid?: boolean;
  /** Whether the journal is ignored, so that every record is sent again. */
  readonly again?: boolean;
  readonly maxErrors?: ErrorLimit;
  /** From the start of the command, in milliseconds. */
  readonly maxDuration?: number;
  /** Whether messages may repeat values of cells. */
  readonly showValues?: boolean;
}

/** Declares the flags of `SendingFlags` except `--show-values`, which `declareSources` declares. */
export function declareSending(command: Command): void {
  command
    .optionsGroup('Sending:')
    .addOption(
      new Option(
        '--on-reject <what>',
        'a refused record ends the run, or is set aside while the rest is sent',
      )
        .choices(ON_REJECT)
        .default(undefined, 'stop'),
    )
    .addOption(
      new Option(
        '--on-existing <what>',
        'a statement or instruction that the platform refuses because it has it is rejected, or counts as there without having been compared',
      )
        .choices(ON_EXISTING)
        .default(undefined, 'reject'),
    )
    .option(
      '--again',
      'ignore the journal: send every record once more, and let the platform say what it has',
    )
    .option(
      '--max-errors <n>',
      'end the run when more rows than this are invalid or refused; a number, or a share such as 5%',
      flagValue(errorLimit),
    )
    .option(
      '--max-duration <duration>',
      'end after this time, as Ctrl-C does; the same command then goes on',
      flagValue(duration),
    )
    .optionsGroup('Output:');
  declareRecord(command);
}

/** Facts that you know better than the file shows. */
export interface FormatFlags {
  readonly encoding?: SourceEncoding;
  readonly delimiter?: string;
}

/** Declares the flags of `FormatFlags`. */
export function declareFormat(command: Command): void {
  command
    .addOption(
      new Option('--encoding <name>', 'read the file in this encoding, whatever its bytes suggest').choices(
        SOURCE_ENCODINGS,
      ),
    )
    .option('--delimiter <c>', 'split rows at this character; `tab` for a tab', parseDelimiter);
}

function parseDelimiter(text: string): string {
  const character = text === 'tab' || text === String.raw`\t` ? '\t' : text;
  if (/^[^\r\n"]$/.test(character)) return character;
  throw new InvalidArgumentError('give one character, or `tab`.');
}
