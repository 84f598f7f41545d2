import { failure, type Problem } from '../../../core/problem.ts';
import { compareDecimals, type Decimal } from '../../../core/values/decimal.ts';
import { majorFromMinor, negated } from '../../../core/values/decimal-shift.ts';
import type { SourceRow } from '../../csv/source-row.ts';
import { alternativesOf, type ValueSpec } from '../language/field-spec.ts';
import type { MappingDocument } from '../language/mapping.ts';
import { numberReader } from '../language/number-format.ts';
import { replacer } from '../language/replacement.ts';
import { stepSpecOf, type SourceSpec, type TotalSpec, type TrailerSumSpec } from '../language/source.ts';
import type { StepSpec } from '../language/steps.ts';
import type { CellProblem, TrailerCheck } from '../mapping-plan.ts';
import { cellText, type CellText, type BoundColumn } from './columns.ts';
import { allOf } from './condition.ts';
import { boundColumn, type Level } from './level.ts';
import { recordScope } from './scope.ts';
import { leftOutFact, RunningSum } from './running-sum.ts';

/** The check of the control records that a mapping describes; null when it describes none. */
export function trailerCheck({ source = {}, fields }: MappingDocument, level: Level): TrailerCheck | null {
  const readers = Object.values(fields).flatMap((spec) => alternativesOf(spec));
  const totals = (source.trailer ?? []).map((spec) => {
    const rows = countedRows(spec, level);
    const sums = (spec.sums ?? []).map((each) => {
      // The sum reads a column as the field does that has this column.
      const field = readers.find(({ column, debit, credit }) =>
        [column, debit, credit].includes(each.column),
      );
      const isCounted = each.over || each.when ? countedRows(each, level) : rows;
      const isNegated = allOf(each.negate, level);
      return columnSum(each, boundColumn(level, each.column), {
        source,
        total: spec,
        field,
        isCounted,
        isNegated: isNegated && ((row) => isNegated(recordScope([row], 0))),
      });
    });
    return { spec, isCounted: rows, sums, rows: 0 };
  });
  if (totals.length === 0) return null;
  let filtered = 0;
  return {
    trailers: totals.length,
    see(row, isLeftOut) {
      if (isLeftOut) filtered++;
      for (const total of totals) {
        if (total.isCounted(row, isLeftOut)) total.rows++;
        for (const sum of total.sums) sum.see(row, isLeftOut);
      }
    },
    verdict(mark, row, records) {
      const { spec, rows, sums } = totals[mark]!;
      const found = spec.count_of === 'records' ? records : rows;
      return [
        ...(spec.count === undefined ? [] : countVerdict(row, spec, { found, filtered, source })),
        ...sums.flatMap((each) => each.verdict(row, filtered)),
      ];
    },
  };
}

type IsCounted = (row: SourceRow, isLeftOut: boolean) => boolean;

/** Which rows count: all of them, those that are not left out, or those of a kind. */
function countedRows({ over, when }: Pick<TotalSpec, 'over' | 'when'>, level: Level): IsCounted {
  const holds = allOf(when, level);
  return (row, isLeftOut) => (over !== 'kept' || !isLeftOut) && (!holds || holds(recordScope([row], 0)));
}

function countVerdict(
  row: SourceRow,
  spec: TotalSpec,
  { found, filtered, source }: { found: number; filtered: number; source: SourceSpec },
): readonly CellProblem[] {
  const cell = spec.count!;
  const stated = numberInCell(cell, stepSpecOf(source), spec)(row);
  if (!stated) return [at(row, cell, unreadableTotal(row, cell, spec))];
  // Counts are filled up with zeros, so the number is compared and not the text.
  return stated.text.replace(/\.0+$/, '') === String(found)
    ? []
    : [
        at(
          row,
          cell,
          failure('trailer_count_differs', [], {
            stated: stated.text,
            counted: spec.count_of ?? 'rows',
            found,
            left_out: leftOutFact(filtered),
          }),
        ),
      ];
}

/** The problem of a cell without a number. A cell that a line is too short for is missing. */
function unreadableTotal({ cells }: SourceRow, cell: number, { fixed }: TotalSpec): Problem {
  const isCutOff = fixed !== undefined && cell <= fixed.length && cells[cell - 1] === undefined;
  const why = isCutOff ? ', because the line ends before the widths of `fixed` do' : '';
  return failure('trailer_cell_unreadable', [], { why });
}

/** How a column is added up, and compared with the total that a row states. */
interface ColumnSum {
  see(row: SourceRow, isLeftOut: boolean): void;
  verdict(row: SourceRow, filtered: number): readonly CellProblem[];
}

function columnSum(
  spec: TrailerSumSpec,
  bound: BoundColumn,
  {
    source,
    total,
    field,
    isCounted,
    isNegated,
  }: {
    source: SourceSpec;
    total: TotalSpec;
    field: ValueSpec | undefined;
    isCounted: IsCounted;
    isNegated: ((row: SourceRow) => boolean) | undefined;
  },
): ColumnSum {
  const steps = stepSpecOf(source, field as Readonly<Record<string, unknown>> | undefined);
  const cell = amountText(bound, steps);
  const read = numberReader(steps);
  const unsigned = numberInCell(spec.cell, stepSpecOf(source, spec), total);
  const stated = (row: SourceRow): Decimal | undefined => {
    const amount = unsigned(row);
    const sign = spec.sign && (row.cells[spec.sign.cell - 1] ?? '').trim();
    return amount && spec.sign?.negative.includes(sign!) ? negated(amount) : amount;
  };
  const running = new RunningSum();
  return {
    see(row, isLeftOut) {
      const text = isCounted(row, isLeftOut) ? cell(row.cells) : undefined;
      if (text === undefined) return;
      const amount = read(text);
      running.add(amount && isNegated?.(row) ? negated(amount) : amount, row.firstLine);
    },
    verdict(row, filtered) {
      const problem = (found: Problem): readonly CellProblem[] => [at(row, spec.cell, found)];
      const { column } = spec;
      const unreadable = running.problemIn(column);
      if (unreadable) return problem(unreadable);
      const expected = stated(row);
      if (!expected) return problem(unreadableTotal(row, spec.cell, total));
      const [one, other] = inOneUnit([expected, running.total], spec, field?.unit);
      if (compareDecimals(one, other) === 0) return [];
      return problem(
        failure('trailer_sum_differs', [], {
          column,
          stated: one.text,
          found: other.text,
          sign: compareDecimals(one, negated(other)) === 0 ? ONLY_THE_SIGN : '',
          left_out: leftOutFact(filtered),
        }),
      );
    },
  };
}

const ONLY_THE_SIGN =
  '; only the sign differs: `sign`, `negative` or `negative_suffixes` of the sum says how it is written, `negate` which rows count with the other one';

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
  total: TotalSpec,
): (row: SourceRow) => Decimal | undefined {
  const read = numberReader(steps);
  const replaced = replacer(total.replace);
  return ({ cells }) => read(replaced((cells[cell - 1] ?? '').trim()));
}

function at(row: SourceRow, cell: number, problem: Problem): CellProblem {
  return { problem, cell: { file: null, line: row.firstLine, column: cell, header: null } };
}
