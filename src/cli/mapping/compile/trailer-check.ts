import { failure, type Problem } from '../../../core/problem.ts';
import { compareDecimals, sum, type Decimal } from '../../../core/values/decimal.ts';
import { majorFromMinor } from '../../../core/values/decimal-shift.ts';
import type { SourceRow } from '../../csv/source-row.ts';
import { alternativesOf, type ValueSpec } from '../language/field-spec.ts';
import type { MappingDocument } from '../language/mapping.ts';
import { numberReader } from '../language/number-format.ts';
import { replacer } from '../language/replacement.ts';
import { stepSpecOf, type SourceSpec, type TrailerSumSpec } from '../language/source.ts';
import type { StepSpec } from '../language/steps.ts';
import type { CellProblem, TrailerCheck } from '../mapping-plan.ts';
import { cellText, type CellText, type Columns, type BoundColumn } from './columns.ts';

/** The check of the control record that a mapping describes; null when it describes none. */
export function trailerCheck(
  { source = {}, fields }: MappingDocument,
  columns: Columns,
): TrailerCheck | null {
  const { trailer } = source;
  if (!trailer) return null;
  const readers = Object.values(fields).flatMap((spec) => alternativesOf(spec));
  const sums = (trailer.sums ?? []).map((spec) => {
    // The sum reads a column as the field does that has this column.
    const field = readers.find(({ column, debit, credit }) => [column, debit, credit].includes(spec.column));
    return runningSum(spec, columns.bind(spec.column, 'other'), { source, field });
  });
  let rows = 0;
  return {
    see(row) {
      rows++;
      for (const each of sums) each.see(row);
    },
    verdict(row, records) {
      const found = trailer.count_of === 'records' ? records : rows;
      return [
        ...(trailer.count === undefined ? [] : countVerdict(row, trailer.count, { found, source })),
        ...sums.flatMap((each) => each.verdict(row)),
      ];
    },
  };
}

function countVerdict(
  row: SourceRow,
  cell: number,
  { found, source }: { readonly found: number; readonly source: SourceSpec },
): readonly CellProblem[] {
  const stated = numberInCell(cell, stepSpecOf(source), source)(row);
  if (!stated) return [at(row, cell, failure('trailer_cell_unreadable', []))];
  // Counts are filled up with zeros, so the number is compared and not the text.
  return stated.text.replace(/\.0+$/, '') === String(found)
    ? []
    : [at(row, cell, failure('trailer_count_differs', [], { stated: stated.text, found }))];
}

/** Amounts that are kept before they are added up. */
const PORTION = 1000;

function runningSum(
  spec: TrailerSumSpec,
  column: BoundColumn,
  { source, field }: { readonly source: SourceSpec; readonly field: ValueSpec | undefined },
): { see(row: SourceRow): void; verdict(row: SourceRow): readonly CellProblem[] } {
  const steps = stepSpecOf(source, field as Readonly<Record<string, unknown>> | undefined);
  const cell = amountText(column, steps);
  const read = numberReader(steps);
  const stated = numberInCell(spec.cell, stepSpecOf(source, spec), source);
  let amounts: Decimal[] = [];
  let unreadable = 0;
  let firstLine = 0;
  return {
    see(row) {
      const text = cell(row.cells);
      if (text === undefined) return;
      const amount = read(text);
      if (!amount && ++unreadable === 1) firstLine = row.firstLine;
      if (amount) amounts.push(amount);
      if (amounts.length >= PORTION) amounts = [sum(amounts)];
    },
    verdict(row) {
      const problem = (found: Problem): readonly CellProblem[] => [at(row, spec.cell, found)];
      const { column } = spec;
      if (unreadable > 0)
        return problem(
          failure('trailer_sum_unreadable', [], { column, count: unreadable, first_line: firstLine }),
        );
      const expected = stated(row);
      if (!expected) return problem(failure('trailer_cell_unreadable', []));
      const [one, other] = inOneUnit([expected, sum(amounts)], spec, field?.unit);
      if (compareDecimals(one, other) === 0) return [];
      return problem(failure('trailer_sum_differs', [], { column, stated: one.text, found: other.text }));
    },
  };
}

/** The text of a cell that is read as a number. The field may replace something in it first. */
function amountText(column: BoundColumn, steps: StepSpec): CellText {
  const read = cellText(column, steps);
  const replaced = replacer(steps.replace);
  return (cells) => {
    const text = read(cells);
    const result = text === undefined ? undefined : replaced(text);
    return result === undefined || steps.null_tokens.includes(result) ? undefined : result;
  };
}

/** Both in major units, where the control record has another unit than the column. */
function inOneUnit(
  [stated, found]: readonly [Decimal, Decimal],
  { unit, minor_digits: digits = 2 }: TrailerSumSpec,
  unitOfColumn: StepSpec['unit'] = 'major',
): readonly [Decimal, Decimal] {
  if (unit === undefined || unit === unitOfColumn) return [stated, found];
  return unit === 'minor' ? [majorFromMinor(stated, digits), found] : [stated, majorFromMinor(found, digits)];
}

/** The number in a cell of the control record. The cell is filled up with spaces where columns are fixed. */
function numberInCell(
  cell: number,
  steps: StepSpec,
  { trailer }: SourceSpec,
): (row: SourceRow) => Decimal | undefined {
  const read = numberReader(steps);
  const replaced = replacer(trailer?.replace);
  return ({ cells }) => read(replaced((cells[cell - 1] ?? '').trim()));
}

function at(row: SourceRow, cell: number, problem: Problem): CellProblem {
  return { problem, cell: { file: null, line: row.firstLine, column: cell, header: null } };
}
