import type { MigrationReport, ReportPart, ReportRows } from '../output/report/migration-report.ts';
import { counted } from '../output/text.ts';

/** Rows, and how many of those to verify a person has compared with the platform. */
export interface JudgedRows {
  readonly rows: ReportRows;
  readonly judged: number;
}

/** Whether everything arrived, in one sentence. */
export function answerOf(
  { rows, judged }: JudgedRows,
  parts: readonly ReportPart[],
): Omit<MigrationReport['answer'], 'to_do'> {
  const records = rows.read - rows.filtered;
  const arrived = rows.created + rows.existing;
  const areEqual = parts.every((part) => part.totals_equal);
  const everythingArrived = arrived + judged === records && areEqual;
  const figures = { everything_arrived: everythingArrived, records, arrived };
  if (everythingArrived)
    return {
      ...figures,
      sentence: `Everything arrived: ${arrived} of ${counted(records, 'record')}${judged === 0 ? '' : `, and ${judged} that a person has compared with the platform`}.`,
    };
  if (arrived === records)
    return {
      ...figures,
      sentence: `All ${counted(records, 'record')} arrived, but sums differ from those of the files.`,
    };
  const missing = records - arrived - judged;
  const left = { ...rows, verify: rows.verify - judged };
  const because = MISSING.flatMap(([end, words]) => (left[end] === 0 ? [] : [`${left[end]} ${words}`]));
  return {
    ...figures,
    sentence: `Not everything arrived: ${missing} of ${counted(records, 'record')} did not (${because.join(', ')}).`,
  };
}

const MISSING = [
  ['rejected', 'refused by the platform'],
  ['invalid', 'invalid in the file'],
  ['not_sent', 'not sent'],
  ['unknown', 'without an answer'],
  ['verify', 'to be compared by a person'],
] as const;
