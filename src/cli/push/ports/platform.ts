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
  | { readonly kind: 'not_sent'; readonly reason: string }
  | { readonly kind: 'lost'; readonly reason: string };

/**
 * The way to the platform. It obtains and renews the token by itself and never follows a redirect.
 * Whatever the network does is a value.
 * @throws AppError whose code begins with `credentials_` when there is no way to a token that is taken.
 */
export interface Platform {
  send(request: PlatformRequest, signal?: AbortSignal): Promise<PlatformAnswer>;
}
