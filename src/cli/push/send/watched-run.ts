import type { DrainRun } from '../ports/run.ts';

/** The operations of a run. When one fails, `failed` hears of it at once, before any other worker continues. */
export function watched(run: DrainRun, failed: (error: unknown) => void): DrainRun {
  const heard = (error: unknown): never => {
    failed(error);
    throw error;
  };
  const operations = Object.entries(run).map(([name, operation]) => [
    name,
    (...args: readonly unknown[]): unknown => {
      try {
        const result = (operation as (...given: readonly unknown[]) => unknown)(...args);
        return result instanceof Promise ? result.catch(heard) : result;
      } catch (error) {
        return heard(error);
      }
    },
  ]);
  return Object.fromEntries(operations) as DrainRun;
}
