import type { DrainRun } from '../../src/cli/push/ports/run.ts';

/** The end of a process in a test. */
export class Crash extends Error {}

/** Which verb a process dies at, from 1, and on which side of it. */
export interface Death {
  readonly verb: number;
  readonly when: 'before' | 'after';
}

/** Verbs of a process that dies before or after the nth of them; what is dead does nothing any more. */
export function dying(
  verbs: DrainRun,
  death: Death,
): { readonly through: DrainRun; readonly seen: { readonly verbs: number } } {
  const seen = { verbs: 0 };
  let isDead = false;
  const die = (): never => {
    isDead = true;
    throw new Crash();
  };
  const mortal =
    <A extends unknown[], R>(verb: (...args: A) => R) =>
    (...args: A): R => {
      if (isDead) throw new Crash();
      seen.verbs++;
      if (seen.verbs === death.verb && death.when === 'before') die();
      const result = verb(...args);
      if (seen.verbs === death.verb) die();
      return result;
    };
  const through: DrainRun = {
    nextAccount: verbs.nextAccount,
    claimNext: mortal(verbs.claimNext),
    claimAgain: mortal(verbs.claimAgain),
    renewToken: mortal(verbs.renewToken),
    fail: mortal(verbs.fail),
    settle: mortal(verbs.settle),
    splitIntoSingles: mortal(verbs.splitIntoSingles),
    splitInHalves: mortal(verbs.splitInHalves),
  };
  return { through, seen };
}
