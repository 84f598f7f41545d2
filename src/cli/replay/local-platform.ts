import { AppError } from '../../core/app-error.ts';
import type { RunningServer, startServer } from '../../server/start.ts';

type Options = Parameters<typeof startServer>[0];
type Start = Omit<Options, 'database'> & Partial<Pick<Options, 'database'>>;

/** A local platform of a command. `close` throws AppError `bug` when the platform itself has failed. */
export type OwnPlatform = Pick<
  RunningServer,
  'url' | 'port' | 'apiKeys' | 'traffic' | 'logged' | 'ledger' | 'tolerated' | 'close'
>;

/** Starts a local platform in this process, in memory and on a free port unless the options say otherwise. @throws AppError those of `startServer` */
export async function startOwnPlatform(options: Start): Promise<OwnPlatform> {
  const { startServer } = await import('../../server/start.ts');
  const errors: unknown[] = [];
  const server = await startServer({
    database: ':memory:',
    ...options,
    onUnexpectedError: (error) => void errors.push(error),
  });
  return {
    ...server,
    async close() {
      await server.close();
      if (errors.length === 0) return;
      throw new AppError('bug', { reason: `the local platform failed: ${String(errors[0])}` }, errors[0]);
    },
  };
}
