import type { Answer } from '../http/answer.ts';
import type { Caller } from '../auth/tokens.ts';

/** A request that has passed the steps before its handler. */
export interface Call<Who extends Caller | null = Caller | null> {
  /** Null where no token is asked for. */
  readonly caller: Who;
  /** Path segments, decoded. */
  readonly segments: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** Undefined when there is no body. */
  readonly body: Uint8Array | undefined;
}

/** Methods that a route may be for; HEAD comes with GET. */
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

interface Place {
  readonly method: Method;
  /** With `:name` for a segment, as in `core/contract/endpoints.ts`. */
  readonly path: string;
  /** The answer is the same in all worlds of a server, so none has to be named. */
  readonly worldless?: true;
  /** Takes a body of one JSON document a line, too, and one as large as this. */
  readonly linesUpToBytes?: number;
}

/**
 * One method of one path and what it answers; the handler may throw a `Refusal` instead. It is for callers with a token, for anybody,
 * or for anybody on this machine.
 */
export type Route = Place &
  (
    | { readonly access: 'token'; readonly answer: (call: Call<Caller>) => Answer }
    | { readonly access: 'open' | 'loopback'; readonly answer: (call: Call) => Answer }
  );
