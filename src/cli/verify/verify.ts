import { Argument, InvalidArgumentError, Option, type Command } from 'commander';
import { RESOURCES } from '../../core/contract/resources.ts';
import { commandLine } from '../../core/command-line.ts';
import { suggestion } from '../../core/suggestion.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { collect, declareRowFlags, showValuesOption } from '../command/flags.ts';
import { limitHeapGrowth } from '../outside/heap-growth.ts';
import { endingOfVerification, shownCohortVerification } from './verification-result.ts';
import { exitDocument } from '../output/json.ts';
import { openJournals, pathsOf, runsFolders } from '../runs/run-folders.ts';
import { listenForInterruption } from '../command/interruption.ts';
import { AppError } from '../../core/app-error.ts';
import type { SettingName } from '../settings/schema.ts';
import { cohortJobs, comparedJobs } from './compared-jobs.ts';
import { usage, verified, type VerifyOptions, type VerifySettings } from './verified-files.ts';

/** The settings of comparing files. */
export const VERIFY_SETTINGS = [
  'baseUrl',
  'supplier',
  'contract',
  'caFile',
  'batchSize',
  'concurrency',
  'rateLimit',
  'retryFor',
  'timeout',
  'runDir',
] as const satisfies readonly SettingName[];

export const command: CommandDeclaration<VerifyOptions> = {
  description:
    'Reads and maps the files anew and compares every record with a finished run, with the ledger of a local platform, or with both: count, exact sum, ids and contents by account and type. Ends with exit code 11 when anything differs. Rows that have not arrived are missing and no difference: then it ends as `report` does.',
  examples: [
    'dataimport verify transactions transactions.csv',
    'dataimport verify transactions transactions.csv --ledger http://127.0.0.1:4010',
    'dataimport verify cohort.yaml',
    'dataimport verify notes notes.csv --run-dir volume-1 --run-dir volume-2',
    'dataimport verify notes notes.csv --run 20261121-101502-notes-4f2a --ask-again',
  ],
  sendsWith: '--ask-again',
  settings: VERIFY_SETTINGS,
  repeated: 'runDir',
  declare(command) {
    const what = `what the rows are: ${RESOURCES.join(', ')}; or a cohort file alone`;
    command
      .addArgument(new Argument('<resource>', what).argParser(resourceOrCohort))
      .argument('[file...]', 'files of CSV or JSON Lines; several are one run; - for standard input');
    declareRowFlags(command);
    declareSides(command);
    command.addOption(showValuesOption());
  },
  run,
};

function resourceOrCohort(text: string): string {
  if (RESOURCES.some((resource) => resource === text) || isCohortFile(text)) return text;
  const near = suggestion(text, RESOURCES) || '.';
  throw new InvalidArgumentError(
    `Allowed choices are ${RESOURCES.join(', ')}, or the name of a .yaml file${near}`,
  );
}

const isCohortFile = (text: string): boolean => /\.ya?ml$/i.test(text);

function declareSides(command: Command): void {
  command
    .optionsGroup('Comparison:')
    .addOption(
      new Option('--run <id>', 'run to compare with; several are one whole, such as the shards of a file')
        .argParser(collect)
        .default(undefined, 'the newest run of these files, or all its shards'),
    )
    .addOption(ledgerOption())
    .addOption(othersOption())
    .option(
      '--ask-again',
      'send each record once more with the check for earlier ones on, and expect that the platform has it (notes and transactions)',
    )
    .optionsGroup('Output:');
}

export const ledgerOption = (): Option =>
  new Option(
    '--ledger <url|file>',
    'compare with what a local platform has stored: its address, or a file with the output of `admin ledger`',
  );

export const othersOption = (): Option =>
  new Option(
    '--others <allowed>',
    'the accounts had records before: records that nobody here has sent are no difference, and counted apart',
  ).choices(['allowed']);

async function run(options: VerifyOptions, context: CommandContext): Promise<CommandEnd> {
  limitHeapGrowth();
  const settings = await context.settings();
  const interruption = listenForInterruption(context, { sends: false });
  const journals = openJournals(context);
  // The declaration takes the name of a cohort file in this place, too.
  const cohort: string = options.resource;
  const isCohort = isCohortFile(cohort);
  if (!isCohort && options.file.length === 0) throw usage(`no file of ${cohort} is given`);
  if (!isCohort) return verified(options, { settings, interruption, journals }, context);
  const excluded = COHORT_EXCLUDES.find(([name]) => options[name] !== undefined)?.[1];
  if (excluded !== undefined || options.file.length > 0)
    throw usage(`${excluded ?? 'a file'} belongs to one resource, and ${cohort} is a cohort`);
  return verifiedCohort(cohort, { options, settings, interruption, journals }, context);
}

type CohortChoice = VerifySettings & { readonly options: VerifyOptions };

async function verifiedCohort(
  file: string,
  choice: CohortChoice,
  context: CommandContext,
): Promise<CommandEnd> {
  const { options, settings, ...ports } = choice;
  const { name, jobs } = cohortJobs(file, options, settings, context.io);
  const compared = await comparedJobs(jobs, ports, context);
  if ('end' in compared) return compared.end;
  const parts = compared.found.filter((part) => part !== undefined);
  const changed = jobs.filter((_, index) => !compared.found[index]).map((job) => job.options.resource);
  if (changed.length > 0)
    throw new AppError('run_to_verify_missing', {
      files: `the ${changed.join(' and ')} of ${file}, as their files are now,`,
      folder: pathsOf(runsFolders(options, settings, context.io.cwd)),
      remedy: `Type \`${commandLine('migrate', [file])}\` with its flags again: it sends only what is new in the files`,
    });
  const { exit, next } = endingOfVerification(parts);
  const resources = parts.map(({ document }) => document);
  const document = { version: 1, cohort: name, exit: exitDocument(exit), resources, next } as const;
  return { exit, result: shownCohortVerification(document) };
}

/** Flags that mean something for one resource only. */
const COHORT_EXCLUDES = [
  ['run', '--run'],
  ['askAgain', '--ask-again'],
  ['map', '--map'],
] as const satisfies readonly (readonly [keyof VerifyOptions, string])[];
