/** One request to the platform, as the engine sees it. */
export interface PlatformRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query, relative to the base URL. */
  readonly path: string;
  /** JSON text of the body, sent byte for byte; null for a request without one. */
  readonly body: string | null;
}

/**
 * What became of a request. `not_sent`: no byte of it left, so it was not applied. `lost`: bytes left and no whole
 * answer came back, so it may have been applied (reliability.md, "Reading an answer").
 */
export type PlatformAnswer =
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** Names in lower case. */
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  | NoAnswer<'not_sent'>
  | NoAnswer<'lost'>;

interface NoAnswer<Kind extends string> {
  readonly kind: Kind;
  readonly reason: string;
  /** Whether it took too long: then fewer requests at once may help. */
  readonly timedOut?: boolean;
  /** Headers of the answer that kept the request from being sent, such as one without a token; names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The way to the platform. It obtains and renews the token by itself and never follows a redirect. What the network
 * does is a value, as long as it may pass.
 * @throws AppError when the request was not sent and waiting does not help: a code that begins with `credentials_` when
 * there is no way to a token that is taken, `certificate_refused` when there is none to the platform
 */
export interface Platform {
  send(request: PlatformRequest, signal?: AbortSignal): Promise<PlatformAnswer>;
}
