import { failure, type Problem } from '../../core/problem.ts';
import { compareDecimals, sum, type Decimal } from '../../core/values/decimal.ts';
import { majorFromMinor } from '../../core/values/decimal-shift.ts';
import type { SourceRow } from '../csv/source-row.ts';
import type { MappingProblem, TrailerCheck } from './candidate.ts';
import type { Columns } from './columns.ts';
import { cellText } from './cell-text.ts';
import type { FieldSpec } from './mapping-file/field-schema.ts';
import { alternativesOf } from './mapping-file/field-walk.ts';
import type { MappingDocument } from './mapping-file/mapping-schema.ts';
import type { SourceSpec, TrailerSpec, TrailerSumSpec } from './mapping-file/source-schema.ts';
import type { StepSpec } from './mapping-file/step-keys.ts';
import { numberReader } from './number-format.ts';
import { numberFormatOf } from './number-step.ts';
import { replacer } from './replacement.ts';
import type { BoundColumn } from './scope.ts';
import { stepSpecOf } from './source-settings.ts';

/** The check of the control record that a mapping describes; null when it describes none. */
export function trailerCheck({ source, fields }: MappingDocument, columns: Columns): TrailerCheck | null {
  const trailer = source?.trailer;
  if (!trailer) return null;
  const sums = (trailer.sums ?? []).map((each) => runningSum(each, source, { columns, fields }));
  let rows = 0;
  return {
    see(row) {
      rows++;
      for (const each of sums) each.see(row);
    },
    verdict: (row, records) => [
      ...(trailer.count === undefined
        ? []
        : countVerdict(row, trailer.count, {
            found: trailer.count_of === 'records' ? records : rows,
            source,
          })),
      ...sums.flatMap((each) => each.verdict(row)),
    ],
  };
}

function countVerdict(
  row: SourceRow,
  cell: number,
  { found, source }: { readonly found: number; readonly source: SourceSpec },
): readonly MappingProblem[] {
  const read = cellNumber(cell, stepSpecOf(source), source.trailer);
  const stated = read(row);
  if (!stated) return [at(row, cell, failure('trailer_cell_unreadable', []))];
  // Counts are filled up with zeros, so the number counts and not the text.
  return stated.text.replace(/\.0+$/, '') === String(found)
    ? []
    : [at(row, cell, failure('trailer_count_differs', [], { stated: stated.text, found }))];
}

/** Amounts that are held before they are added up. */
const PORTION = 1000;

function runningSum(
  spec: TrailerSumSpec,
  source: SourceSpec,
  { columns, fields }: { readonly columns: Columns; readonly fields: MappingDocument['fields'] },
): { see(row: SourceRow): void; verdict(row: SourceRow): readonly MappingProblem[] } {
  const column = columns.bind(spec.column, 'other');
  const own = fieldOfColumn(fields, spec.column);
  const steps = stepSpecOf(source, own);
  const cell = amountText(column, steps);
  const read = numberReader(numberFormatOf(steps));
  const stated = cellNumber(spec.cell, stepSpecOf(source, spec), source.trailer);
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
      const problem = (code: Problem): readonly MappingProblem[] => [at(row, spec.cell, code)];
      const facts = { column: spec.column };
      if (unreadable > 0)
        return problem(
          failure('trailer_sum_unreadable', [], {
            ...facts,
            column: spec.column,
            count: unreadable,
            first_line: firstLine,
          }),
        );
      const expected = stated(row);
      if (!expected) return problem(failure('trailer_cell_unreadable', []));
      const [one, other] = inOneUnit([expected, sum(amounts)], spec, own.unit);
      return compareDecimals(one, other) === 0
        ? []
        : problem(
            failure('trailer_sum_differs', [], { column: spec.column, stated: one.text, found: other.text }),
          );
    },
  };
}

/** What of a cell is read as a number: the field may replace something in it first. */
function amountText(column: BoundColumn, steps: StepSpec): (cells: readonly string[]) => string | undefined {
  const read = cellText(column, steps);
  const replaced = replacer(steps.replace);
  return (cells) => {
    const text = read(cells);
    const result = text === undefined ? undefined : replaced(text);
    return result === undefined || steps.null_tokens.includes(result) ? undefined : result;
  };
}

/** Both in major units where the control record has another unit than the column. */
function inOneUnit(
  [stated, found]: readonly [Decimal, Decimal],
  { unit, minor_digits: digits = 2 }: TrailerSumSpec,
  unitOfColumn: StepSpec['unit'],
): readonly [Decimal, Decimal] {
  const columnUnit = unitOfColumn ?? 'major';
  if (unit === undefined || unit === columnUnit) return [stated, found];
  return unit === 'minor' ? [majorFromMinor(stated, digits), found] : [stated, majorFromMinor(found, digits)];
}

/** How the field that reads a column reads numbers; the sum is read in the same way. */
function fieldOfColumn(fields: Readonly<Record<string, FieldSpec>>, column: string): Partial<StepSpec> {
  const readers = Object.values(fields).flatMap((spec) => alternativesOf(spec));
  return (
    readers.find((each) => each.column === column || each.debit === column || each.credit === column) ?? {}
  );
}

/** The number in a cell of the control record, which is filled up with spaces where columns are fixed. */
function cellNumber(
  cell: number,
  steps: StepSpec,
  trailer: TrailerSpec | undefined,
): (row: SourceRow) => Decimal | undefined {
  const read = numberReader(numberFormatOf(steps));
  const replaced = replacer(trailer?.replace);
  return ({ cells }) => read(replaced((cells[cell - 1] ?? '').trim()));
}

function at(row: SourceRow, cell: number, problem: Problem): MappingProblem {
  return { problem, place: { file: null, line: row.firstLine, column: cell, header: null } };
}
