import { counted } from '../output/text/text.ts';
import type { Decision } from '../push/ports/measures.ts';
import type { MeasuredRun } from './measured-runs.ts';
import type { ReportPart } from './page/migration-report.ts';

/** The decisions of people that the figures of runs depend on, because a person signs the page. */
export function decisionsOf(runs: readonly MeasuredRun[], allowsOthers: boolean): ReportPart['decisions'] {
  const events = runs.flatMap(({ measures }) => measures.decisions);
  const flags = runs.flatMap(({ choice }) => [
    ...(choice.onExisting === 'accept'
      ? ['Records that the platform had already were accepted without a comparison (--on-existing accept)']
      : []),
    ...(choice.skipInvalid ? ['Valid rows were sent although others are invalid (--skip-invalid)'] : []),
  ]);
  const allowed = allowsOthers
    ? ['Records that nobody here has sent were allowed in the ledger (--others allowed)']
    : [];
  return [
    ...events.map((event) => ({ at: event.at, by: event.by, what: whatOf(event) })),
    ...[...new Set([...flags, ...allowed])].map((what) => ({ at: null, by: null, what })),
  ];
}

function whatOf({ kind, ledger, rows }: Decision): string {
  if (kind === 'again') return `All records were planned again (--again): ${counted(rows, 'record')}`;
  if (ledger !== null) return `${counted(rows, 'row')} settled, because the ledger ${ledger} has them`;
  return kind === 'arrived'
    ? `${counted(rows, 'row')} confirmed as arrived`
    : `${counted(rows, 'row')} confirmed as missing, to be sent again`;
}
