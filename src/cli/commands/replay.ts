import { availableParallelism } from 'node:os';
import { Option } from 'commander';
import { AppError } from '../../core/app-error.ts';
import { dateInZone } from '../../core/values/instant.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command.ts';
import { flagValue } from '../flags.ts';
import { junitText } from '../output/report/junit.ts';
import { replaySuite } from '../output/replay-result.ts';
import { fixtureFolders, openFixture, replayFixture } from '../replay/fixture.ts';
import { inLanes } from '../replay/lanes.ts';
import { ledgerLines } from '../replay/ledger.ts';
import type { PlatformStart, ReplayPlatform, ReplayPorts } from '../replay/replay-folder.ts';
import { listenForInterruption } from '../runs/interruption.ts';
import { count } from '../settings/parsers.ts';
import { assertWritable, writeTypedFile } from '../typed-file.ts';

export interface ReplayOptions {
  readonly dir: readonly string[];
  readonly update?: boolean;
  /** Folders that are replayed at the same time. */
  readonly jobs: number;
  /** File for the folders as JUnit tests. */
  readonly junit?: string;
}

export const command: CommandDeclaration<ReplayOptions> = {
  description:
    'Runs the steps in the expected.yaml of each folder against a local platform with its seed.yaml, and shows differences as a diff. A folder of such folders means all of them. Ends with 1 when anything differs.',
  examples: [
    'dataimport replay fixtures',
    'dataimport replay fixtures/german-billing --update',
    'dataimport replay fixtures --junit replay.xml',
  ],
  settings: [],
  declare(command) {
    command
      .argument('<dir...>', 'folders with seed.yaml and expected.yaml, or folders of such folders')
      .option('--update', 'write the results to expected.yaml instead of comparing')
      .option('--junit <file>', 'write the folders as JUnit tests, for CI')
      .addOption(
        new Option('-j, --jobs <n>', 'folders at the same time')
          .argParser(flagValue(count({ max: 256 })))
          .default(availableParallelism(), 'one for each core'),
      );
  },
  run,
};

async function run(
  { dir, jobs, junit, update = false }: ReplayOptions,
  context: CommandContext,
): Promise<CommandEnd> {
  const { io, output } = context;
  if (junit !== undefined) assertWritable(junit, io.cwd);
  const interruption = listenForInterruption(context);
  const firstDay = update ? dateInZone(io.timing.nowMs(), 'UTC') : null;
  // All of them first: an expectation that is wrong is reported before any folder is replayed.
  const fixtures = fixtureFolders(dir, io.cwd).map((folder) =>
    openFixture({ folder, cwd: io.cwd, firstDay }),
  );
  const ports: ReplayPorts = {
    startPlatform: (start) => startPlatform(start, io.version()),
    runCommandLine: context.runCommandLine,
    machine: {
      pid: io.pid,
      platform: io.platform,
      packageFolder: io.packageFolder,
      version: () => io.version(),
    },
    stopping: interruption.stopping,
    abort: interruption.abort,
  };
  const replayed = await inLanes(fixtures, jobs, {
    start: (fixture) => replayFixture(fixture, update, ports),
    ended: (fixture) => output.emit({ kind: 'replayed', ...fixture }),
  });
  const folders = replayed.map(({ outcome }) => outcome);
  if (junit !== undefined)
    writeTypedFile(junit, junitText('dataimport replay', [replaySuite(folders)]), io.cwd);
  const isDifferent = folders.some(({ outcome }) => outcome === 'different');
  return {
    exit: interruption.stopping.aborted ? interruption.exit() : isDifferent ? 'DIFFERENT' : 'OK',
    result: { kind: 'replay', folders },
  };
}

/** Longest life of a token, in seconds: the default of the local platform. */
const TOKEN_SECONDS = 3_600;

/**
 * Starts a local platform in memory on a free port.
 * @throws AppError `file_not_readable`, `seed_invalid`
 */
async function startPlatform(
  { seed, contract, nowMs }: PlatformStart,
  version: string,
): Promise<ReplayPlatform> {
  const errors: unknown[] = [];
  const { startServer } = await import('../../server/start.ts');
  const server = await startServer({
    host: '127.0.0.1',
    port: 0,
    database: ':memory:',
    seeds: [seed],
    ...(contract !== undefined && { contract }),
    tokenTtlSeconds: TOKEN_SECONDS,
    timeZone: 'UTC',
    nowMs,
    version,
    onUnexpectedError: (error) => void errors.push(error),
  });
  return {
    url: server.url,
    apiKey: server.apiKeys[0]?.key ?? null,
    ledger: async () => ledgerLines((await import('../client/local-admin.ts')).readLedger(server.url)),
    async close() {
      await server.close();
      if (errors.length === 0) return;
      const reason = `the local platform failed: ${String(errors[0])}`;
      throw new AppError('bug', { reason }, errors[0]);
    },
  };
}
