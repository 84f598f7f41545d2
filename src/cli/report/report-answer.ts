import type { MigrationReport, ReportPart, ReportRows } from './page/migration-report.ts';
import { total } from '../../core/values/counts.ts';
import { counted } from '../output/text/text.ts';
import { arrivedRows } from '../push/ports/report.ts';

/** Whether everything arrived, in one sentence. */
export function answerOf(
  rows: ReportRows,
  parts: readonly ReportPart[],
  unsent: MigrationReport['unsent_resources'],
): Omit<MigrationReport['answer'], 'to_do'> {
  const records = rows.read - rows.filtered;
  const arrived = arrivedRows(rows);
  const differences = total(parts, ({ compared }) => compared?.differences ?? 0);
  const isChanged = parts.some(({ compared }) => compared?.differences === null);
  const everythingArrived =
    arrived === records &&
    parts.every((part) => part.totals_equal) &&
    differences === 0 &&
    !isChanged &&
    unsent.length === 0;
  const figures = { everything_arrived: everythingArrived, records, arrived };
  if (everythingArrived)
    return {
      ...figures,
      sentence: `Everything arrived: ${arrived} of ${counted(records, 'record')}${proofs(rows)}.`,
    };
  if (differences > 0)
    return {
      ...figures,
      sentence: `The files differ from what is there in ${counted(differences, 'record')}: this does not prove that everything arrived.`,
    };
  if (arrived === records && isChanged)
    return {
      ...figures,
      sentence: `All ${counted(records, 'record')} of the last run arrived, but the files have changed since.`,
    };
  if (arrived === records && unsent.length > 0)
    return {
      ...figures,
      sentence: `All ${counted(records, 'record')} of the last run arrived, but nothing was sent of the files of ${unsent.join(', ')}.`,
    };
  if (arrived === records)
    return {
      ...figures,
      sentence: `All ${counted(records, 'record')} arrived, but sums differ from those of the files.`,
    };
  const because = MISSING.flatMap(([end, words]) => (rows[end] === 0 ? [] : [`${rows[end]} ${words}`]));
  return {
    ...figures,
    sentence: `Not everything arrived: ${records - arrived} of ${counted(records, 'record')} did not (${because.join(', ')}).`,
  };
}

/** Records whose arrival no answer of the platform proves alone. */
function proofs(rows: ReportRows): string {
  const parts = WITHOUT_PROOF.flatMap(([end, words]) => (rows[end] === 0 ? [] : [`${rows[end]} ${words}`]));
  return parts.length === 0 ? '' : `, of which ${parts.join(' and ')}`;
}

const WITHOUT_PROOF = [
  ['confirmed', 'confirmed by hand'],
  ['uncompared', 'accepted as there without having been compared'],
] as const;

const MISSING = [
  ['rejected', 'refused by the platform'],
  ['invalid', 'invalid in the file'],
  ['not_sent', 'not sent'],
  ['unknown', 'without an answer'],
  ['verify', 'to be compared by hand'],
] as const;
