import { Argument, InvalidArgumentError, Option, type Command } from 'commander';
import { RESOURCES } from '../../core/contract/resources.ts';
import { suggestion } from '../../core/suggestion.ts';
import { readCohort } from '../migrate/read-cohort.ts';
import { total } from '../../core/values/counts.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { collect, declareRowFlags, gzipRatioOption, showValuesOption } from '../command/flags.ts';
import { limitHeapGrowth } from '../outside/heap-growth.ts';
import { shownCohortVerification } from './cohort-verification-result.ts';
import { exitOfVerification, type VerificationResult } from './verification-result.ts';
import { resourceFlags } from '../migrate/cohort-files.ts';
import { cohortSettings } from '../migrate/cohort-settings.ts';
import { listenForInterruption } from '../ending/interruption.ts';
import { readText } from '../command/typed-file.ts';
import { usage, verified, type VerifyOptions, type VerifySettings } from './verified-files.ts';

export const command: CommandDeclaration<VerifyOptions> = {
  description:
    'Reads and maps the files anew and compares every record with a finished run, with the ledger of a local platform, or with both: count, exact sum, ids and contents by account and type. Ends with exit code 11 when anything differs. Of an unfinished cohort the records that were sent are compared.',
  examples: [
    'dataimport verify transactions transactions.csv',
    'dataimport verify transactions transactions.csv --ledger http://127.0.0.1:4010',
    'dataimport verify cohort.yaml',
    'dataimport verify notes notes.csv --run 20261121-101502-notes-4f2a --ask-again',
  ],
  sendsWith: '--ask-again',
  settings: [
    'baseUrl',
    'supplier',
    'contract',
    'caFile',
    'earliestDate',
    'batchSize',
    'maxBatchBytes',
    'concurrency',
    'rateLimit',
    'retryFor',
    'connectTimeout',
    'timeout',
    'runDir',
  ],
  declare(command) {
    const what = `what the rows are: ${RESOURCES.join(', ')}; or a cohort file alone`;
    command
      .addArgument(new Argument('<resource>', what).argParser(resourceOrCohort))
      .argument('[file...]', 'files of CSV or JSON Lines; several are one run; - for standard input');
    declareRowFlags(command);
    command.addOption(gzipRatioOption());
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
    .option(
      '--ledger <url|file>',
      'compare with what a local platform has stored: its address, or a file with the output of `admin ledger`',
    )
    .addOption(
      new Option(
        '--others <allowed>',
        'the accounts had records before: records that nobody here has sent are no difference, and counted apart',
      ).choices(['allowed']),
    )
    .option(
      '--ask-again',
      'send each record once more with the check for earlier ones on, and expect that the platform has it (notes and transactions)',
    )
    .option(
      '--signed <file>',
      'signed document of `report --json --sign`: its signature and the chains of the runs must fit',
    )
    .option('--public-key <file>', 'public key (PEM) that --signed must be signed with')
    .optionsGroup('Output:')
    .option('--accounts <file>', 'write the totals of all accounts to a new CSV file');
}

async function run(options: VerifyOptions, context: CommandContext): Promise<CommandEnd> {
  limitHeapGrowth();
  const settings = await context.settings();
  const interruption = listenForInterruption(context, { sends: false });
  // The declaration takes the name of a cohort file in this place, too.
  const cohort: string = options.resource;
  const isCohort = isCohortFile(cohort);
  if (!isCohort && options.file.length === 0) throw usage(`no file of ${cohort} is given`);
  if (!isCohort) return verified(options, { settings, interruption }, context);
  const excluded = COHORT_EXCLUDES.find(([name]) => options[name] !== undefined)?.[1];
  if (excluded !== undefined || options.file.length > 0)
    throw usage(`${excluded ?? 'a file'} belongs to one resource, and ${cohort} is a cohort`);
  return verifiedCohort(cohort, { options, settings, interruption }, context);
}

/** Compares every resource of a cohort, one after the other: what was sent of it, when it is unfinished. */
async function verifiedCohort(
  file: string,
  { options, settings: given, interruption }: VerifySettings & { readonly options: VerifyOptions },
  context: CommandContext,
): Promise<CommandEnd> {
  const { io } = context;
  const cohort = readCohort(file, readText(file, io.cwd));
  const settings = cohortSettings(cohort, given, io);
  const parts: VerificationResult[] = [];
  for (const flags of resourceFlags(cohort, io.cwd)) {
    const end = await verified({ ...options, ...flags }, { settings, interruption }, context);
    // Files that cannot be compared, or an interruption.
    if (!end.verification) return end;
    parts.push(end.verification);
  }
  const differing =
    parts.find(({ isDamaged }) => isDamaged) ??
    parts.find(({ differs }) => differs) ??
    parts.find(({ left, unproven }) => left + unproven > 0);
  const whole = {
    differs: differing?.differs ?? false,
    isDamaged: differing?.isDamaged ?? false,
    left: total(parts, ({ left }) => left),
    unproven: total(parts, ({ unproven }) => unproven),
    uncompared: total(parts, ({ uncompared }) => uncompared),
  };
  const next = differing?.next ?? null;
  const result = shownCohortVerification({ name: cohort.name, parts, ...whole, next });
  return { exit: exitOfVerification(whole), result };
}

/** Flags that mean something for one resource only. */
const COHORT_EXCLUDES = [
  ['run', '--run'],
  ['askAgain', '--ask-again'],
  ['accounts', '--accounts'],
  ['map', '--map'],
  ['corrections', '--corrections'],
] as const satisfies readonly (readonly [keyof VerifyOptions, string])[];
