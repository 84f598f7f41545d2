/** One request to the platform, as the engine sees it. */
export interface PlatformRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query, relative to the base URL. */
  readonly path: string;
  /** JSON text of the body, sent byte for byte; null for a request without one. */
  readonly body: string | null;
}

/**
 * What became of a request. `not_sent`: no byte of it left, or only with tokens that were refused, so it was not applied. `lost`: bytes left and no whole
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
  /** Of a request that left and was refused for its token (401), where there was no other token to send it with. */
  readonly status?: number;
  /** Headers of the answer that kept the request from being sent, such as one without a token; names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The way to the platform. It obtains and renews the token by itself and never follows a redirect. What the network
 * does is a value, as long as it may pass. A request whose token is refused is sent once more with another one: `again`
 * is called right before.
 * @throws AppError when the request was not sent and waiting does not help: a code that begins with `credentials_` when
 * there is no way to a token that is taken, `certificate_refused` when there is none to the platform; `status` among its facts when the request had left and was refused for its token
 */
export interface Platform {
  send(request: PlatformRequest, signal?: AbortSignal, again?: () => void): Promise<PlatformAnswer>;
}
