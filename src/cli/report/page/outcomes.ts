import type { RowCounts } from '../../push/ports/report.ts';

/** How a row may end, in the order of tables. */
export const OUTCOMES = [
  outcome('created', 'Created', 'The platform added the record.'),
  outcome('existing', 'Already there', 'The platform had the record before, and said so.'),
  outcome(
    'uncompared',
    'Already there, not compared',
    'The platform had the record before, by its refusal alone. Its content was not compared.',
  ),
  outcome('confirmed', 'Confirmed', 'A person has compared the record with the platform.'),
  outcome('sent_before', 'Sent before', 'Another journal of the folder says that it brought the record.'),
  outcome(
    'verify',
    'To compare',
    'The platform has the record, and nothing proves that this import added the same content.',
  ),
  outcome('rejected', 'Refused', 'The platform refused the record.'),
  outcome('unknown', 'Without an answer', 'The record was sent, and no answer says whether it was applied.'),
  outcome('not_sent', 'Not sent', 'The record is still waiting.'),
  outcome('invalid', 'Invalid', 'The row is wrong in the file, so nothing of it was sent.'),
  outcome('filtered', 'Left out', 'The row was left out on purpose. The causes are listed below.'),
] as const;

type End = Exclude<keyof RowCounts, 'read'>;

export type Outcome = { readonly name: End; readonly label: string; readonly meaning: string };

function outcome(name: End, label: string, meaning: string): Outcome {
  return { name, label, meaning };
}
