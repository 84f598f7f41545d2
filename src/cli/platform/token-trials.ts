/** What has become of the requests that carried a token of one key. */
export interface TokenTrials {
  /** A request is about to leave with a token. */
  begin(): void;
  /** It has ended. `accepted`: the platform looked beyond the token; false also when it did not answer. */
  end(accepted: boolean): void;
  /**
   * Whether a token that was refused may only have run out: the key has let somebody in before, or others wait to
   * hear. If neither, it lets nobody in.
   */
  mayHaveRunOut(): boolean;
}

/** Without this a platform whose tokens end soon would look, to the slowest of many requests, like one that refuses the key. */
export function tokenTrials(): TokenTrials {
  let inFlight = 0;
  let everAccepted = false;
  return {
    begin: () => void inFlight++,
    end(accepted) {
      inFlight--;
      everAccepted ||= accepted;
    },
    mayHaveRunOut: () => everAccepted || inFlight > 0,
  };
}
