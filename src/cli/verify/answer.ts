import { total } from '../../core/values/counts.ts';
import type { ExitName } from '../output/exit-codes.ts';
import { counted } from '../output/text/text.ts';
import { arrivedRows, type RowCounts } from '../push/ports/report.ts';
import type { Verification, VerifiedPart } from './verification-schema.ts';

/** The rows that were to be imported, and have not arrived. */
export const missingRows = (rows: RowCounts): number => rows.read - rows.filtered - arrivedRows(rows);

/**
 * Whether everything arrived, as the exit of the command and in one sentence. This is the only place that decides it. A journal whose chain
 * does not hold has ended the command before (`run_damaged`).
 */
export function answerOf(
  rows: RowCounts,
  parts: readonly VerifiedPart[],
): { readonly exit: ExitName; readonly answer: Omit<Verification['answer'], 'to_do'> } {
  const records = rows.read - rows.filtered;
  const all = counted(records, 'record');
  const missing = missingRows(rows);
  const ended = (exit: ExitName, sentence: string) => ({
    exit,
    answer: { everything_arrived: exit === 'OK', records, arrived: records - missing, sentence },
  });
  const differences = total(
    parts.flatMap(({ comparisons }) => comparisons),
    ({ errors_total: errors }) => errors,
  );
  if (differences > 0)
    return ended(
      'UNRECONCILED',
      `The files differ from what is there in ${counted(differences, 'record')}: this does not prove that everything arrived.`,
    );
  if (missing > 0) {
    const changed = total(parts, (part) => part.changed);
    const because = [
      ...named({ ...rows, invalid: rows.invalid - changed }, MISSING),
      ...(changed > 0 ? [`${changed} there with other values`] : []),
    ];
    // The same command sends these, and nothing else is needed.
    const goesOn = rows.not_sent + rows.unknown > 0;
    const sentence = `Not everything arrived: ${missing} of ${all} did not (${because.join(', ')}).`;
    return ended(goesOn ? 'UNFINISHED' : 'PARTIAL', sentence);
  }
  if (!parts.every((part) => part.totals_equal))
    return ended('UNRECONCILED', `All ${all} arrived, but sums differ from those of the files.`);
  if (parts.some((part) => part.changed_since !== null))
    return ended('UNFINISHED', `All ${all} arrived, but the files have changed since they were sent.`);
  const answered = total(parts, (part) => (part.comparisons.length > 0 ? 0 : part.rows.existing));
  const unproven = named({ ...rows, existing: answered }, WITHOUT_PROOF);
  const proofs = unproven.length === 0 ? '' : `, of which ${unproven.join(' and ')}`;
  return ended('OK', `Everything arrived: ${records} of ${all}${proofs}.`);
}

type Words = readonly (readonly [end: keyof RowCounts, words: string])[];

const named = (rows: RowCounts, ends: Words): readonly string[] =>
  ends.flatMap(([end, words]) => (rows[end] === 0 ? [] : [`${rows[end]} ${words}`]));

/** Records whose arrival no answer of the platform proves alone. */
const WITHOUT_PROOF: Words = [
  ['confirmed', 'confirmed by hand'],
  ['uncompared', 'accepted as there without having been compared'],
  ['existing', 'there already by answers that may only repeat what was sent'],
];

const MISSING: Words = [
  ['rejected', 'refused by the platform'],
  ['invalid', 'invalid in the file'],
  ['not_sent', 'not sent'],
  ['unknown', 'without an answer'],
  ['verify', 'to be compared by hand'],
];
