import { Argument, InvalidArgumentError, Option } from 'commander';
import { RESOURCES, type Resource } from '../../core/contract/resources.ts';
import { commandLine } from '../../core/command-line.ts';
import { AppError } from '../../core/app-error.ts';
import { suggestion } from '../../core/suggestion.ts';
import { addedByName } from '../../core/values/counts.ts';
import { instantOfClock } from '../../core/values/instant.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { declareRowFlags, showValuesOption, type SourceFlags } from '../command/flags.ts';
import { listenForInterruption } from '../command/interruption.ts';
import { assertWritable, writeTypedFile, readText } from '../command/typed-file.ts';
import { limitHeapGrowth } from '../outside/heap-growth.ts';
import { exitDocument } from '../output/result.ts';
import { assertRepeatable } from '../resume/resume.ts';
import { openJournals, pathsOf, runsFolders } from '../runs/run-folders.ts';
import { isLoopback } from '../settings/parsers.ts';
import { type Settings, withDocument } from '../settings/settings.ts';
import { answerOf } from './answer.ts';
import { shownVerification } from './text.ts';
import { stepsOf, type VerifiedWithPart } from './steps.ts';
import type { Verification } from './verification-schema.ts';
import { partOf } from './part.ts';
import { usage, verifiedJob, type ComparingFlags, type Job } from './verified-files.ts';
import { repeatedFlags, sameCommand } from '../ending/next-commands.ts';
import { commandsIn } from '../journal/commands-log.ts';
import { cohortSettings, resourceFlags } from '../migrate/cohort-files.ts';
import { readCohort } from '../migrate/read-cohort.ts';
import { shardText } from '../push/ports/run.ts';
import { flagLayer, type SettingFlags } from '../settings/layer.ts';
import { withFiles } from '../sources/sources.ts';

type VerifyOptions = Omit<Job['options'], 'resource'> & {
  /** A resource, or the name of a cohort file; left out for what the last command has sent. */
  readonly resource?: string;
  readonly html?: string;
  readonly junit?: string;
};

export const command: CommandDeclaration<VerifyOptions> = {
  description:
    'Says whether everything arrived: reads the files anew, looks for the record of each row in the journal, computes the chain of the journal, and compares with the ledger of a local platform where --ledger names one. Without words it takes what the last command of the folder has sent. Ends with 0 when everything arrived, with 5 when the same command sends more, with 6 when somebody has to look at rows, with 11 when something differs.',
  examples: [
    'dataimport verify cohort.yaml --html report.html',
    'dataimport verify transactions transactions.csv --ledger http://127.0.0.1:4010',
  ],
  settings: ['baseUrl', 'supplier', 'contract', 'runDir'],
  repeated: 'runDir',
  declare(command) {
    const what = `what the rows are: ${RESOURCES.join(', ')}; or a cohort file alone (default: what the last command has sent)`;
    command
      .addArgument(new Argument('[resource]', what).argParser(resourceOrCohort))
      .argument('[file...]', 'files of CSV or JSON Lines; several are one whole; - for standard input');
    declareRowFlags(command);
    command
      .optionsGroup('Comparison:')
      .addOption(
        new Option(
          '--ledger <url|file>',
          'compare with what a local platform has stored: its address, or a file with the output of `admin ledger`',
        ),
      )
      .optionsGroup('Output:')
      .option('--html <file>', 'write one page that needs no network, to be read and signed')
      .option('--junit <file>', 'write the result as JUnit tests, for CI')
      .addOption(showValuesOption());
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

async function run(options: VerifyOptions, context: CommandContext): Promise<CommandEnd> {
  limitHeapGrowth();
  const { io } = context;
  const settings = await context.settings();
  const { html, junit } = options;
  if (html !== undefined) assertWritable(html, io.cwd, { kind: 'html' });
  if (junit !== undefined) assertWritable(junit, io.cwd, { kind: 'junit' });
  const { cohort, jobs } = await jobsOf(options, settings, context);
  const ports = {
    interruption: listenForInterruption(context, { sends: false }),
    journals: openJournals(context),
  };
  const done: VerifiedWithPart[] = [];
  for (const job of jobs) {
    const verified = await verifiedJob(job, ports, context);
    if ('end' in verified) return verified.end;
    done.push({ ...verified, part: partOf(verified) });
  }
  const parts = done.map(({ part }) => part);
  const target = settings.get('baseUrl');
  const { ledger } = options;
  // The ledger of a local platform says nothing about another one.
  const isOf = (url: string): boolean =>
    ledger !== undefined && /^https?:/.test(ledger)
      ? new URL(ledger).host === new URL(url).host
      : isLoopback(new URL(url).hostname);
  const isAlone = ledger !== undefined && (target === undefined || isOf(target));
  if (!isAlone && parts.every((part) => part.journals.length === 0)) {
    const resource = parts.map((part) => part.resource).join(' or ');
    const folder = pathsOf(runsFolders(options, settings, io.cwd));
    throw new AppError('run_to_verify_missing', {
      resource,
      to: target === undefined ? '' : ` to ${target}`,
      folder,
    });
  }
  const rows = addedByName(parts.map((part) => part.rows));
  const { exit, answer } = answerOf(rows, parts);
  const toDo = stepsOf(done);
  const found: Verification = {
    version: 1,
    exit: exitDocument(exit),
    made_at: instantOfClock(io.timing.nowMs()),
    tool_version: io.version(),
    cohort,
    answer: { ...answer, to_do: toDo },
    rows,
    parts,
    problems: [],
    next: toDo.find(({ command }) => command !== null)?.command ?? null,
  };
  const files = await writtenForms(found, { html, junit }, io.cwd);
  return { exit, result: shownVerification(found, files) };
}

/** @throws AppError `usage` for flags and files that a cohort has itself; those of the last command */
async function jobsOf(typed: VerifyOptions, settings: Settings, context: CommandContext): Promise<Jobs> {
  const { resource, file, map, maxRecords, shard, ...flags } = typed;
  if (resource !== undefined && !isCohortFile(resource))
    return typedJob({ ...typed, resource: resource as Resource }, settings, context);
  const given = map !== undefined ? '--map' : maxRecords !== undefined ? '--max-records' : shard && '--shard';
  if (given !== undefined || file.length > 0) {
    const of =
      resource === undefined
        ? `type \`${commandLine('verify', ['RESOURCE', 'FILE'])}\``
        : `${resource} is a cohort`;
    throw usage(`${given ?? 'a file'} belongs to one resource, and ${of}`);
  }
  return resource === undefined
    ? lastSent(flags, settings, context)
    : cohortJobs(resource, flags, settings, context);
}

/** Writes what was found in its forms. The files are private, because they may name files and accounts. Returns their names. */
async function writtenForms(
  found: Verification,
  { html, junit }: Readonly<Record<'html' | 'junit', string | undefined>>,
  cwd: string,
): Promise<readonly string[]> {
  if (html !== undefined) {
    const { verificationPage } = await import('./page/page.ts');
    writeTypedFile(html, verificationPage(found), cwd, 'html');
  }
  if (junit !== undefined) {
    const [{ junitText }, { suitesOf }] = await Promise.all([
      import('../output/formats/junit.ts'),
      import('./page/cases.ts'),
    ]);
    writeTypedFile(junit, junitText('dataimport', suitesOf(found), 0), cwd, 'junit');
  }
  return [html, junit].filter((file) => file !== undefined);
}

/** What is verified: the files of one resource, or of each resource of a cohort. */
interface Jobs {
  /** The name of the cohort; null for files of their own. */
  readonly cohort: string | null;
  readonly jobs: readonly Job[];
}

/** The jobs of a cohort file, in the order in which its resources are sent. */
function cohortJobs(
  file: string,
  flags: ComparingFlags,
  settings: Settings,
  { io, globals }: CommandContext,
): Jobs {
  const cohort = readCohort(file, readText(file, io.cwd));
  const ofCohort = cohortSettings(cohort, settings, io);
  const send = commandLine('migrate', [file], repeatedFlags(settings, globals));
  const jobs = resourceFlags(cohort, io.cwd).map((files) => ({
    options: { ...flags, ...files },
    settings: ofCohort,
    send,
  }));
  return { cohort: cohort.name, jobs };
}

/** The files of the last command of the folder. All shards of a file are one whole. */
async function lastSent(flags: ComparingFlags, settings: Settings, context: CommandContext): Promise<Jobs> {
  const { io } = context;
  const folders = runsFolders(flags, settings, io.cwd);
  const last = folders
    .flatMap(({ path }) => commandsIn(path, io).slice(0, 1))
    .toSorted((a, b) => (a.begun < b.begun ? 1 : -1))[0];
  if (!last) throw new AppError('run_none', { folder: pathsOf(folders) });
  assertRepeatable(last, io.cwd);
  const name = last.words.find((word) => word === 'push' || word === 'migrate')!;
  const typed = (await context.surface(last.words)).commands.find((command) => command.name() === name)!;
  const { operands } = typed.parseOptions(last.words.slice(last.words.indexOf(name) + 1));
  const options = typed.opts<SourceFlags & SettingFlags>();
  const ofCommand = withDocument(settings, flagLayer(options), io);
  if (name === 'migrate') return cohortJobs(operands[0]!, flags, ofCommand, context);
  const [resource, ...file] = operands as [Resource, ...string[]];
  const { map, maxRecords } = options;
  const rows = {
    resource,
    file,
    ...(map !== undefined && { map }),
    ...(maxRecords !== undefined && { maxRecords }),
  };
  const named = await withFiles({ ...flags, ...rows }, io.cwd);
  return { cohort: null, jobs: [{ options: named, settings: ofCommand, send: sameCommand(last.words) }] };
}

async function typedJob(
  options: Job['options'],
  settings: Settings,
  { io, globals }: CommandContext,
): Promise<Jobs> {
  const named = await withFiles(options, io.cwd);
  const { resource, file, map, maxRecords, shard } = options;
  const send = commandLine(
    'push',
    [resource, ...file],
    [
      ['--map', map],
      ['--max-records', maxRecords?.toString()],
      ['--shard', typeof shard === 'object' ? shardText(shard) : shard],
      ...repeatedFlags(settings, globals),
    ],
  );
  return { cohort: null, jobs: [{ options: named, settings, send }] };
}
