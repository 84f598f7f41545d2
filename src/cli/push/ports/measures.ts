/** An event of the run in which a person overruled it, or in which a ledger settled rows. */
export interface Decision {
  readonly at: string;
  readonly by: string | null;
  /** `again`: every record was planned again (`--again`). */
  readonly kind: 'arrived' | 'missing' | 'again';
  /** The ledger that proved the rows; null for the word of a person. */
  readonly ledger: string | null;
  readonly rows: number;
}
