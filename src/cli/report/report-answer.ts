import type { Resource } from '../../core/contract/resources.ts';
import { total } from '../../core/values/counts.ts';
import { furthestFromDone } from '../ending/ending.ts';
import type { ExitName } from '../output/exit-codes.ts';
import type { Ending } from '../output/run/run-document.ts';
import { counted } from '../output/text/text.ts';
import { arrivedRows, type RowCounts } from '../push/ports/report.ts';
import type { MigrationReport, ReportPart } from './page/migration-report.ts';

/** What decides whether everything arrived. */
interface Figures {
  readonly rows: RowCounts;
  readonly parts: readonly ReportPart[];
  /** Resources of the cohort of which nothing was sent. */
  readonly unsent: readonly Resource[];
  readonly endings: readonly Ending[];
}

/** Whether everything arrived, as the exit of the report and in one sentence. This is the only place that decides it. */
export function answerOf({ rows, parts, unsent, endings }: Figures): {
  readonly exit: ExitName;
  readonly answer: Omit<MigrationReport['answer'], 'to_do'>;
} {
  const records = rows.read - rows.filtered;
  const arrived = arrivedRows(rows);
  const all = counted(records, 'record');
  const ended = (exit: ExitName, sentence: string) => ({
    exit,
    answer: { everything_arrived: exit === 'OK', records, arrived, sentence },
  });
  const differences = total(parts, ({ compared }) => compared?.differences ?? 0);
  if (differences > 0)
    return ended(
      'UNRECONCILED',
      `The files differ from what is there in ${counted(differences, 'record')}: this does not prove that everything arrived.`,
    );
  if (arrived < records) {
    const because = named(rows, MISSING).join(', ');
    const sentence = `Not everything arrived: ${records - arrived} of ${all} did not (${because}).`;
    return ended(furthestFromDone(endings).exit, sentence);
  }
  if (!parts.every((part) => part.totals_equal))
    return ended('UNRECONCILED', `All ${all} arrived, but sums differ from those of the files.`);
  const last = `All ${all} of the last run arrived, but`;
  if (parts.some(({ compared }) => compared?.differences === null))
    return ended('UNFINISHED', `${last} the files have changed since.`);
  if (unsent.length > 0)
    return ended('UNFINISHED', `${last} nothing was sent of the files of ${unsent.join(', ')}.`);
  const unproven = named(rows, WITHOUT_PROOF);
  const proofs = unproven.length === 0 ? '' : `, of which ${unproven.join(' and ')}`;
  return ended('OK', `Everything arrived: ${arrived} of ${all}${proofs}.`);
}

type Words = readonly (readonly [end: keyof RowCounts, words: string])[];

const named = (rows: RowCounts, ends: Words): readonly string[] =>
  ends.flatMap(([end, words]) => (rows[end] === 0 ? [] : [`${rows[end]} ${words}`]));

/** Records whose arrival no answer of the platform proves alone. */
const WITHOUT_PROOF: Words = [
  ['confirmed', 'confirmed by hand'],
  ['uncompared', 'accepted as there without having been compared'],
];

const MISSING: Words = [
  ['rejected', 'refused by the platform'],
  ['invalid', 'invalid in the file'],
  ['not_sent', 'not sent'],
  ['unknown', 'without an answer'],
  ['verify', 'to be compared by hand'],
];
