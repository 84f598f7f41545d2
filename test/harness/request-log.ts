import type { OracleResource } from './oracle/records.ts';

/**
 * What an answer means for the client (reliability.md, "Reading an answer"), as the one who gave it knows. `stops`: a
 * refusal or a foreign answer, after which nothing new may begin.
 */
export type AnswerClass = 'ok' | 'not_applied' | 'ambiguous' | 'too_large' | 'stops' | 'present';

/** One POST as it was seen from outside of the client. */
export interface SeenRequest {
  readonly resource: OracleResource;
  /** Which life of the client it belongs to; a life ends with a death or with the end of the command. */
  readonly life: number;
  readonly account: string;
  /** Keys of its records, in their order. */
  readonly keys: readonly string[];
  readonly body: string;
  /** Milliseconds of one clock, and the place in the order of all events. */
  readonly start: Moment;
  /** When the client had the answer, or lost it; undefined when it died before. */
  readonly end: Moment | undefined;
  readonly answer: AnswerClass | undefined;
  /** What Retry-After asked for, in milliseconds. */
  readonly askedMs: number;
}

/** A time, and the place in the order of all events. */
export interface Moment {
  readonly atMs: number;
  readonly order: number;
}
