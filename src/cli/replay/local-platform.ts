import { AppError } from '../../core/app-error.ts';
import type { RunningServer, startServer } from '../../server/start.ts';

type Options = Parameters<typeof startServer>[0];
type Start = Omit<Options, 'database' | 'apiKey'> & Partial<Pick<Options, 'database'>>;

/** A local platform of a command. `close` throws AppError `bug` when the platform itself has failed. */
export type OwnPlatform = RunningServer & {
  /** A key of its seeds, or else the one for all suppliers. */
  readonly apiKey: string;
};

/** A key for all suppliers. No seed has it. */
export const OWN_KEY = 'key-of-this-command';

/** Starts a local platform in this process, in memory and on a free port unless the options say otherwise. @throws AppError those of `startServer` */
export async function startOwnPlatform(options: Start): Promise<OwnPlatform> {
  const { startServer } = await import('../../server/start.ts');
  const errors: unknown[] = [];
  const server = await startServer({
    database: ':memory:',
    ...options,
    apiKey: OWN_KEY,
    onUnexpectedError: (error) => void errors.push(error),
  });
  return {
    ...server,
    apiKey: server.apiKeys.find(({ key }) => key !== OWN_KEY)?.key ?? OWN_KEY,
    async close() {
      await server.close();
      if (errors.length === 0) return;
      throw new AppError('bug', { reason: `the local platform failed: ${String(errors[0])}` }, errors[0]);
    },
  };
}
