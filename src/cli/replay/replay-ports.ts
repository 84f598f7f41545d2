import { AppError } from '../../core/app-error.ts';
import type { CommandContext } from '../command/command.ts';
import { ledgerLines } from './ledger.ts';
import type { PlatformStart, ReplayPlatform, ReplayPorts } from './replay-folder.ts';
import type { Interruption } from '../ending/interruption.ts';

/** The ports of replays in this process: a local platform, and command lines of this program. */
export function replayPorts({ io, runCommandLine }: CommandContext, interruption: Interruption): ReplayPorts {
  return {
    startPlatform: (start) => startPlatform(start, io.version()),
    runCommandLine,
    machine: {
      pid: io.pid,
      userId: io.userId,
      userName: undefined,
      platform: io.platform,
      packageFolder: io.packageFolder,
      version: () => io.version(),
    },
    stopping: interruption.stopping,
    abort: interruption.abort,
  };
}

/** Longest life of a token, in seconds: the default of the local platform. */
const TOKEN_SECONDS = 3_600;

/**
 * Starts a local platform in memory on a free port.
 * @throws AppError `file_not_readable`, `seed_invalid`
 */
async function startPlatform(
  { seed, contract, faults, nowMs }: PlatformStart,
  version: string,
): Promise<ReplayPlatform> {
  const errors: unknown[] = [];
  const { startServer } = await import('../../server/start.ts');
  const server = await startServer({
    host: '127.0.0.1',
    port: 0,
    database: ':memory:',
    seeds: [seed],
    faults: { rules: faults },
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
