import type { RecordKind } from '../../../core/contract/resources.ts';

/** One request to the platform, as the engine makes it. */
export interface PlatformRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query, relative to the base URL. */
  readonly path: string;
  /** JSON text of the body, sent byte for byte; null for a request without a body. */
  readonly body: string | null;
}

/**
 * How a request ended. `not_sent`: no byte of it left, or only with tokens that were rejected, so it was not applied.
 * `lost`: bytes left and no whole answer came back, so it may have been applied.
 */
export type PlatformAnswer =
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** Names in lower case. */
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
      /** Why the body cannot be read; it is empty then, and only the status counts. */
      readonly unreadable?: string;
    }
  | NoAnswer<'not_sent'>
  | NoAnswer<'lost'>;

interface NoAnswer<Kind extends string> {
  readonly kind: Kind;
  readonly reason: string;
  /** Whether it took too long. Fewer requests at once may then help. */
  readonly timedOut?: boolean;
  /** 401 when the request left, its token was rejected, and there was no other token to send it with. */
  readonly status?: number;
  /** How many new tokens in a row, its own the last, were refused and never accepted. Then the next one needs a wait. */
  readonly refusedTokens?: number;
  /** What refused the request in place of the platform, so that the token is not the cause. */
  readonly gateway?: string;
  /** Headers of the answer that kept the request from being sent, such as an answer without a token. Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The connection to the platform. It obtains and renews tokens by itself and never follows a redirect. Failures of the
 * network that may pass are values. A request whose token is rejected is sent once more with another token; `onResend` is
 * called right before that, and the request waits for it. The third new token in a row that no request was accepted with is an error.
 * @throws NotSentError with a code that begins with `credentials_` when no accepted token can be obtained, and
 * `certificate_refused` when no connection can be opened. Its fact `status` is 401 when the request had left and its token was rejected.
 */
export interface Platform {
  send(
    request: PlatformRequest,
    signal?: AbortSignal,
    onResend?: () => Promise<void>,
  ): Promise<PlatformAnswer>;
}

/** One stored record of a local platform, as its ledger has it (docs/operating.md). */
export type LedgerRecord = { readonly kind: RecordKind; readonly data: Readonly<Record<string, unknown>> };

/** Why there is no token although there is a key. */
export const NEW_TOKENS_REFUSED =
  'the platform issues tokens for the API key and refuses every one of them at once (401); does it want another authScheme?';
