/**
 * What became of a record that was valid. Every one starts as `not_sent`.
 * `verify`: present, but it cannot be proven that it was us. `unknown`: sent, and no answer tells (reliability.md).
 */
export const RECORD_OUTCOMES = ['created', 'existing', 'verify', 'rejected', 'unknown', 'not_sent'] as const;
export type RecordOutcome = (typeof RECORD_OUTCOMES)[number];

/** Outcomes that an answer can settle. */
export type SettledOutcome = Exclude<RecordOutcome, 'unknown' | 'not_sent'>;

/** Where every row that was read ended; the counts add up to `read`. */
export type RowCounts = Readonly<Record<'read' | RecordOutcome | 'invalid' | 'filtered', number>>;

/** Whether every row read is accounted for exactly once. */
export function addsUp(rows: RowCounts): boolean {
  const { read, ...ends } = rows;
  return read === Object.values(ends).reduce((total, count) => total + count, 0);
}
