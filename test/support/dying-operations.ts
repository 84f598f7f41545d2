import type { DrainRun } from '../../src/cli/push/ports/run.ts';

/** The end of a process in a test. */
export class Crash extends Error {}

/** The operation at which a process dies, counted from 1, and whether it dies before or after that operation. */
export interface Death {
  readonly step: number;
  readonly when: 'before' | 'after';
}

/** Operations of a process that dies before or after the nth of them. After its death every operation throws. */
export function dying(
  operations: DrainRun,
  death: Death,
): { readonly through: DrainRun; readonly seen: { readonly operations: number } } {
  const seen = { operations: 0 };
  let isDead = false;
  const die = (): never => {
    isDead = true;
    throw new Crash();
  };
  const mortal =
    <A extends unknown[], R>(operation: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (isDead) throw new Crash();
      const number = ++seen.operations;
      if (number === death.step && death.when === 'before') die();
      const result = await operation(...args);
      if (isDead) throw new Crash();
      if (number === death.step) die();
      return result;
    };
  const through: DrainRun = {
    nextAccount: operations.nextAccount,
    claimNext: mortal(operations.claimNext),
    claimAgain: mortal(operations.claimAgain),
    fail: mortal(operations.fail),
    settle: mortal(operations.settle),
    sameIdElsewhere: operations.sameIdElsewhere,
    splitInHalves: mortal(operations.splitInHalves),
  };
  return { through, seen };
}
