import { existsSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { commandLine } from '../../core/command-line.ts';
import { RESOURCES } from '../../core/contract/resources.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import type { RunResult } from '../output/run/run-document.ts';
import { shownRun } from '../output/run/run-summary.ts';
import { differences } from '../push/ledger-totals.ts';
import { notWritten } from '../command/typed-file.ts';
import { makePrivateFolder } from '../../files/private-folder.ts';
import { defaultSettings } from '../settings/settings.ts';
import { pushFiles } from '../sending/push-files.ts';
import { documentOf, partsOf } from '../output/result.ts';
import { startOwnPlatform } from '../replay/local-platform.ts';

export const command: CommandDeclaration<object> = {
  description:
    'Starts the local platform on a free port, pushes the CSV files of the quickstart fixture for all four resources, and compares what arrived with what was read.',
  examples: ['dataimport demo'],
  settings: [],
  declare: () => undefined,
  run,
};

async function run(_options: object, context: CommandContext): Promise<CommandEnd> {
  const { io, globals, onClose } = context;
  const folder = join(io.cwd, '.dataimport', 'demo');
  const [database, runs] = [join(folder, 'serve.sqlite'), join(folder, 'runs')];
  // A demo begins with an empty platform every time. Nothing else is kept in this folder.
  try {
    rmSync(folder, { recursive: true, force: true });
    makePrivateFolder(folder);
  } catch (error) {
    throw notWritten(relative(io.cwd, folder), error);
  }

  const input = join(io.packageFolder, 'fixtures', 'quickstart');
  const server = await startOwnPlatform({
    database,
    seeds: [join(input, 'seed.yaml')],
    timeZone: 'UTC',
    nowMs: () => io.timing.nowMs(),
    version: io.version(),
  });
  onClose(() => server.close());
  const apiKey = async () => server.apiKey;
  const credentials = { kind: 'key', apiKey, source: 'the seed of the demo' } as const;
  // Defaults only: sample data must not reach a platform, or a supplier, that the user has set. It may be lost, so any disk will do.
  const flags = { runDir: runs, allowNetworkDisk: 'yes' };
  const settings = defaultSettings({ cwd: io.cwd, homeDir: io.homeDir, flags });
  const target = { baseUrl: server.url, credentials };

  const pushes: RunResult[] = [];
  const sent = RESOURCES.filter((resource) => existsSync(join(input, `${resource}.csv`)));
  for (const resource of sent) {
    const file = relative(io.cwd, join(input, `${resource}.csv`));
    const checks = { checkPreviouslyAdded: true, forceAddToCurrentStatement: true };
    const options = { resource, file: [file], ...checks };
    const pushed = await pushFiles(options, { settings, globals, words: context.words, target }, context);
    pushes.push(pushed);
    if (pushed.ending.exit !== 'OK') break;
  }
  const ledger = await server.ledger();
  const differing = pushes.flatMap(({ report }) => differences(report, ledger));
  const failed = pushes.find(({ ending }) => ending.exit !== 'OK');
  return {
    exit: failed?.ending.exit ?? (differing.length > 0 ? 'UNRECONCILED' : 'OK'),
    result: {
      fields: {
        pushes: pushes.map((pushed) => documentOf(shownRun(pushed), pushed.ending.exit)),
        differences: differing,
        database,
        runs,
      },
      text: (view) => [
        ...pushes.flatMap((pushed) => [...partsOf(shownRun(pushed), view), '']),
        ...(differing.length > 0
          ? ['The platform does not have what was read:', ...differing.map((line) => `  ${line}`)]
          : failed
            ? ['Not every row landed.']
            : ['Counts and sums of all files and of the platform’s ledger are equal, to the penny.']),
        '',
      ],
      next: `look at what arrived, with \`${commandLine('serve', [], [['--db', relative(io.cwd, database)]])}\`, or rehearse your own files as README.md shows`,
    },
  };
}
