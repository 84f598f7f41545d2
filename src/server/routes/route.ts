import type { Caller } from '../auth/tokens.ts';
import type { Answer } from '../http/answer.ts';
import type { RequestSubject } from '../http/logged-request.ts';
import type { LocalServer } from '../local-server/local-server.ts';

/** A request that has passed the guards. */
export interface Call<Who extends Caller | null = Caller | null> {
  readonly server: LocalServer;
  /** Null on paths that need no token. */
  readonly caller: Who;
  /** Path segments, decoded. */
  readonly segments: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** Undefined for methods without a body. */
  readonly body: Uint8Array | undefined;
  /** Names the account of the request for the request log. */
  readonly about: (subject: RequestSubject) => void;
}

/** The methods of routes. A path with GET also has HEAD. */
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * One method of one path and its answer. Access is by token, open to all, or for programs on this machine (`loopback`).
 * `answer` may throw a Refusal.
 */
export type Route = {
  readonly method: Method;
  /** With `:name` for a segment, as in `core/contract/endpoints.ts`. */
  readonly path: string;
} & (
  | { readonly access: 'token'; readonly answer: (call: Call<Caller>) => Answer }
  | { readonly access: 'open' | 'loopback'; readonly answer: (call: Call) => Answer }
);
