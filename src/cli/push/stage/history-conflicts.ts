import { DESCRIPTORS, type Resource } from '../../../core/contract/resources.ts';
import { failure, warning, type Problem } from '../../../core/problem.ts';
import { locateOwnProblem } from '../own-problem.ts';
import type { LocatedProblem } from '../ports/report.ts';
import type { EarlierPosition, HistoryConflict } from '../ports/staging.ts';

/** Whether a conflict makes its row invalid: only the operator of the platform can change a stored record. */
export function isInvalidating({ kind }: Pick<HistoryConflict, 'kind'>): boolean {
  return kind === 'changed' || kind === 'moved';
}

/** The problem of a record that the journal keeps from being sent as it is. */
export function conflictProblem(resource: Resource, { kind, earlier, differs }: HistoryConflict): Problem {
  const { idField, typeField, amount } = DESCRIPTORS[resource];
  const path = idField === null ? [] : [idField];
  const changed = differs.flatMap((name) => (name === 'type' ? typeField : amount?.field) ?? []);
  const others = changed.map((field) => `another ${field}`).join(' and ');
  const facts = factsOf(earlier, others || undefined);
  switch (kind) {
    case 'changed':
      return failure(
        'record_changed',
        changed.length > 0 ? [changed[0]!] : path,
        earlier.wasCompared ? facts : { ...facts, ...NOT_COMPARED(earlier) },
      );
    case 'moved':
      return failure('record_moved', ['external_account_number'], facts);
    case 'verify':
      return failure('outcome_unproven', path, {});
    default:
      return kind satisfies never;
  }
}

/** The problem of a row whose record has turned out to be on the platform with other content. */
export function changedProblem(resource: Resource, conflict: HistoryConflict, file: string): LocatedProblem {
  return locateOwnProblem(conflictProblem(resource, conflict), { file, line: conflict.line });
}

/** The warning about a record that an earlier reading of the file brought to the platform, and that no row is any more. */
export function vanishedProblem(earlier: EarlierPosition): Problem {
  return warning('record_vanished', [], factsOf(earlier));
}

const NOT_COMPARED = ({ file, line, run }: EarlierPosition) => ({
  reason: `the row differs from ${file}:${line} of the reading ${run}, which was accepted as there; which content the platform has was never compared`,
  todo: 'Compare the row with the record on the platform. Ask the operator to correct the record if they differ. Then confirm the row with `dataimport runs confirm RUN --rows FILE --arrived --by NAME`. `--skip-invalid` sends the other rows.',
});

function factsOf({ file, line, run }: EarlierPosition, what = 'other content') {
  return { since_file: file, since_line: line, since: run, what };
}
