/** How fast one command sent a run. */
export interface SendingFigures {
  /** From the first claim to the last settlement, in milliseconds. */
  readonly sendingMs: number;
  /** Records that answers settled. */
  readonly records: number;
  /** Requests that ended well. */
  readonly requests: number;
}
