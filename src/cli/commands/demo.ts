import { rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { RESOURCES } from '../../core/contract/resources.ts';
import type { CommandContext, CommandDeclaration } from '../command.ts';
import type { ExitName } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { differences, totalsOfLedger } from '../push/ledger-totals.ts';
import { exitDocument, type JsonDocument } from '../render/json-output.ts';
import { pushDocumentOf, type PushDocument } from '../render/push-document.ts';
import { problemsText } from '../render/problems-text.ts';
import { pushSummary } from '../render/push-summary.ts';
import { escapeControl } from '../render/text.ts';
import { makePrivateFolder } from '../../files/private-folder.ts';
import { defaultSettings } from '../settings/settings.ts';
import { pushFiles, type PushResult } from './push.ts';

export const demo: CommandDeclaration<object> = {
  name: 'demo',
  group: 'Rehearse',
  summary: 'Run a whole migration of sample data on this machine',
  description:
    'Starts the local platform on a free port, pushes the CSV files of the quickstart fixture for all four resources, and compares what arrived with what was read.',
  examples: ['dataimport demo'],
  settings: [],
  declare: () => undefined,
  run,
};

interface DemoDocument extends JsonDocument {
  readonly pushes: readonly PushDocument[];
  /** What differs between the files and the ledger of the platform; empty when nothing does. */
  readonly differences: readonly string[];
  readonly database: string;
  readonly runs: string;
}

/** Sample data that the package brings. */
const fixtureOf = ({ packageFolder }: Io): string => join(packageFolder, 'fixtures', 'quickstart');

async function run(_options: object, context: CommandContext): Promise<ExitName> {
  const { io, globals } = context;
  const folder = join(io.cwd, '.dataimport', 'demo');
  const places = { database: join(folder, 'serve.sqlite'), runs: join(folder, 'runs') };
  // A demo begins with an empty platform every time; nothing else is kept in this folder.
  rmSync(folder, { recursive: true, force: true });
  makePrivateFolder(folder);

  const server = await startDemoServer(places.database, context);
  const credentials = {
    kind: 'key',
    apiKey: async () => server.apiKeys[0]!.key,
    source: 'the seed of the demo',
  } as const;
  const results: PushResult[] = [];
  for (const resource of RESOURCES) {
    const file = relative(io.cwd, join(fixtureOf(io), `${resource}.csv`));
    const options = { resource, file: [file], checkPreviouslyAdded: true, forceAddToCurrentStatement: true };
    const result = await pushFiles(options, demoContext(context, places.runs), {
      baseUrl: server.url,
      credentials,
    });
    results.push(result);
    io.stderr.write(problemsText(result.report));
    if (!globals.json) io.stdout.write(`${pushSummary(result.report, result.ending)}\n`);
    if (result.ending.exit !== 'OK') break;
  }

  const { readLedger } = await import('../client/local-admin.ts');
  const ledger = await totalsOfLedger(readLedger(server.url));
  const differing = results.flatMap(({ report }) => differences(report, ledger));
  const failed = results.find(({ ending }) => ending.exit !== 'OK');
  const exit = failed?.ending.exit ?? (differing.length > 0 ? 'UNRECONCILED' : 'OK');
  context.document({
    version: 1,
    exit: exitDocument(exit),
    pushes: results.map(({ report, ending }) => pushDocumentOf(report, ending)),
    differences: differing,
    ...places,
  } satisfies DemoDocument);
  if (!globals.json) io.stdout.write(closingText(context, places, differing, exit));
  return exit;
}

async function startDemoServer(database: string, context: CommandContext) {
  const { startServer } = await import('../../server/start.ts');
  const server = await startServer({
    host: '127.0.0.1',
    port: 0,
    database,
    seeds: [join(fixtureOf(context.io), 'seed.yaml')],
    tokenTtlSeconds: 3600,
    timeZone: 'UTC',
    nowMs: () => context.io.timing.nowMs(),
    version: context.io.version(),
    onUnexpectedError: (error) => {
      throw new AppError('bug', { reason: String(error) }, error);
    },
  });
  context.onClose(() => server.close());
  return server;
}

/** The demo must not send its sample data to a platform, or as a supplier, that the user has set. */
function demoContext(context: CommandContext, runDir: string): CommandContext {
  const { cwd, homeDir } = context.io;
  return { ...context, settings: async () => defaultSettings({ cwd, homeDir, flags: { runDir } }) };
}

function closingText(
  { io }: CommandContext,
  places: { database: string; runs: string },
  differing: readonly string[],
  exit: ExitName,
): string {
  const shown = (path: string): string => relative(io.cwd, path);
  const verdict =
    differing.length > 0
      ? ['The platform does not hold what was read:', ...differing.map((line) => `  ${line}`)]
      : exit === 'OK'
        ? ['Counts and sums of all files and of the platform’s ledger are equal, to the penny.']
        : ['Not every row landed.'];
  return [
    ...verdict,
    '',
    'Where things are:',
    `  input     ${shown(fixtureOf(io))}`,
    `  platform  ${shown(places.database)}`,
    `  runs      ${shown(places.runs)}`,
    '',
    'Next: look at what arrived, with `dataimport serve --db ' + shown(places.database) + '`,',
    'or rehearse your own files as README.md shows.',
    '',
  ]
    .map((line) => `${escapeControl(line)}\n`)
    .join('');
}
