import type { Answer } from '../http/answer.ts';

/** How a request ends on the wire. */
export type Departure =
  | { readonly kind: 'answer'; readonly answer: Answer }
  /** At once, with nothing sent. */
  | { readonly kind: 'reset' }
  /** When so many bytes of the request have come. */
  | { readonly kind: 'reset-request'; readonly bytes: number }
  /** When the head of the answer and so many bytes of its body have left. */
  | { readonly kind: 'reset-answer'; readonly answer: Answer; readonly bytes: number }
  | { readonly kind: 'truncate'; readonly answer: Answer; readonly bytes: number; readonly close: boolean }
  /** Never. */
  | { readonly kind: 'stall' };

/** Ends the handling of a request before its body is read. */
export class Faulted extends Error {
  readonly departure: Departure;

  constructor(departure: Departure) {
    super(`a fault ends the request: ${departure.kind}`);
    this.name = 'Faulted';
    this.departure = departure;
  }
}
