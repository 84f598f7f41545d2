import { retryOfStatus } from '../../core/contract/retry.ts';
import type { PlatformAnswer } from '../push/ports/platform.ts';
import { expiryOf, type ObtainedToken } from './token.ts';

/** What the end of a request says about its token. `unclear`: nothing, or the token may have expired on its way. */
export type TokenUse = 'accepted' | 'refused' | 'unclear';

/** A token that says that it ends in this time, in milliseconds, may have ended when it arrived, because it names whole seconds. */
const ENDING_MS = 1_000;

/** A token that seems to have ended for this time, in milliseconds, was obtained by a clock that is wrong. */
const WRONG_CLOCK_MS = 60_000;

/** `answer`: undefined when sending failed. `nowMs`: since 1970. */
export function tokenUse(
  { token }: ObtainedToken,
  answer: PlatformAnswer | undefined,
  nowMs: number,
): TokenUse {
  const retry = answer?.kind === 'answer' ? retryOfStatus(answer.status) : 'wait';
  if (retry !== 'token') return retry === 'wait' ? 'unclear' : 'accepted';
  const leftMs = (expiryOf(token) ?? Infinity) - nowMs;
  return leftMs <= ENDING_MS && leftMs > -WRONG_CLOCK_MS ? 'unclear' : 'refused';
}

/** A token that was not accepted yet. */
interface Trial {
  inFlight: number;
  isRefused: boolean;
  /** A request said nothing, so the token may have expired since. */
  isUnclear: boolean;
  /** Called when the trial is over or nothing is in flight. */
  readonly whenKnown: (() => void)[];
}

/** Whether the platform accepts the tokens that it issues. Begins without any token. */
export function tokenTrials() {
  /** In the order of their first use. */
  const trials = new Map<ObtainedToken, Trial>();
  /** Accepted tokens, and those before them. */
  const over = new WeakSet<ObtainedToken>();
  const isKnown = ({ inFlight, isRefused, isUnclear }: Trial): boolean =>
    inFlight === 0 && isRefused && !isUnclear;

  const accept = (token: ObtainedToken): void => {
    for (const [earlier, { whenKnown }] of trials) {
      over.add(earlier);
      trials.delete(earlier);
      for (const resolve of whenKnown) resolve();
      if (earlier === token) return;
    }
  };

  return {
    /** A request with a token begins. False: it must not, because new tokens are refused and another request tries the next one. */
    begin(token: ObtainedToken) {
      if (over.has(token)) return true;
      const all = [...trials.values()];
      const lastKnown = all.findLastIndex(isKnown);
      if (lastKnown >= 0 && all.slice(lastKnown + 1).some(({ inFlight }) => inFlight > 0)) return false;
      const trial = trials.get(token) ?? { inFlight: 0, isRefused: false, isUnclear: false, whenKnown: [] };
      trial.inFlight++;
      trials.set(token, trial);
      return true;
    },
    /** It ended. */
    end(token: ObtainedToken, use: TokenUse) {
      const trial = trials.get(token);
      if (!trial) return;
      trial.inFlight--;
      if (use === 'refused') trial.isRefused = true;
      else if (use === 'unclear') trial.isUnclear = true;
      else accept(token);
      if (trial.inFlight === 0) for (const resolve of trial.whenKnown.splice(0)) resolve();
    },
    /**
     * Whether a token was refused without being accepted once. Otherwise it was accepted and has expired, or may have. Waits for the
     * requests in flight with the token until one is accepted.
     */
    async isRefused(token: ObtainedToken) {
      const trial = trials.get(token);
      if (trial && trial.inFlight > 0) await new Promise<void>((resolve) => trial.whenKnown.push(resolve));
      return trial !== undefined && trials.has(token) && isKnown(trial);
    },
    /** How many tokens were refused since one was accepted. */
    refusedInARow: () => [...trials.values()].filter(isKnown).length,
  };
}
