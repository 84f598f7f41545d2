import type { OracleResource } from './oracle/records.ts';

/**
 * What an answer means for the client, as the platform that sent it knows. `not_applied`, `ambiguous`, `too_large`: the
 * client sends the records again, in doubt after `ambiguous`. `stops`: a refusal after which no request may begin. `foreign`: a refusal that may
 * be of something before the platform; while refused records are set aside it holds its account, and the third in a row stops. `present`: a refusal whose records the platform has or rejects for good.
 */
export type AnswerClass = 'ok' | 'not_applied' | 'ambiguous' | 'too_large' | 'stops' | 'foreign' | 'present';

/** One POST, observed from outside of the client. */
export interface SeenRequest {
  readonly resource: OracleResource;
  /** The life of the client that sent it. A life ends with a death or with the end of the command. */
  readonly life: number;
  readonly account: string;
  /** Keys of its records, in order. */
  readonly keys: readonly string[];
  readonly body: string;
  readonly start: Moment;
  /** When the client received or lost the answer; undefined when it died before. */
  readonly end: Moment | undefined;
  readonly answer: AnswerClass | undefined;
  /** The wait of Retry-After, in milliseconds; 0 when there is none. */
  readonly askedMs: number;
}

/** A time in milliseconds of one clock, and the number in the order of all events. */
export interface Moment {
  readonly atMs: number;
  readonly order: number;
}
