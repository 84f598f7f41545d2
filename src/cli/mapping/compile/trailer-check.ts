import { failure, type Problem } from '../../../core/problem.ts';
import { compareDecimals, Decimal, DecimalSum } from '../../../core/values/decimal.ts';
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
import type { Level } from './level.ts';

/** The check of the control records that a mapping describes; null when it describes none. */
export function trailerCheck({ source = {}, fields }: MappingDocument, level: Level): TrailerCheck | null {
  const readers = Object.values(fields).flatMap((spec) => alternativesOf(spec));
  const trailers = (source.trailer ?? []).map((spec) => ({
    spec,
    sums: (spec.sums ?? []).map((each) => {
      // The sum reads a column as the field does that has this column.
      const field = readers.find(({ column, debit, credit }) =>
        [column, debit, credit].includes(each.column),
      );
      return columnSum(each, level.columns.bind(each.column, level.use), { source, record: spec, field });
    }),
  }));
  if (trailers.length === 0) return null;
  let [found, filtered] = [0, 0];
  return {
    trailers: trailers.length,
    see(row, isLeftOut) {
      found++;
      if (isLeftOut) filtered++;
      for (const { sums } of trailers) for (const sum of sums) sum.see(row);
    },
    verdict(mark, row) {
      const { spec, sums } = trailers[mark]!;
      return [
        ...(spec.count === undefined ? [] : countVerdict(row, spec, { found, filtered, source })),
        ...sums.flatMap((each) => each.verdict(row, filtered)),
      ];
    },
  };
}

function countVerdict(
  row: SourceRow,
  spec: TotalSpec,
  { found, filtered, source }: { found: number; filtered: number; source: SourceSpec },
): readonly CellProblem[] {
  const cell = spec.count!;
  // The number may be in a sentence, such as `1100 rows selected.`
  const stated = numberReader(stepSpecOf(source))(textIn(row, cell).replaceAll(/^\D+|\D+$/gu, ''));
  if (!stated) return [at(row, cell, unreadableTotal(row, cell, spec))];
  // Counts are filled up with zeros, so the number is compared and not the text.
  if (stated.text.replace(/\.0+$/, '') === String(found)) return [];
  const facts = { stated: stated.text, found, left_out: leftOutFact(filtered) };
  return [at(row, cell, failure('trailer_count_differs', [], facts))];
}

/** The problem of a cell without a number. A cell that a line is too short for is missing. */
function unreadableTotal({ cells }: SourceRow, cell: number, { fixed }: TotalSpec): Problem {
  const isCutOff = fixed !== undefined && cell <= fixed.length && cells[cell - 1] === undefined;
  const why = isCutOff ? ', because the line ends before the widths of `fixed` do' : '';
  return failure('trailer_unreadable', [], {
    reason: `the control record has no readable number here${why}`,
  });
}

/** How a column is added up, and compared with the total that a row states. */
interface ColumnSum {
  see(row: SourceRow): void;
  verdict(row: SourceRow, filtered: number): readonly CellProblem[];
}

function columnSum(
  spec: TrailerSumSpec,
  bound: BoundColumn,
  { source, record, field }: { source: SourceSpec; record: TotalSpec; field: ValueSpec | undefined },
): ColumnSum {
  const steps = stepSpecOf(source, field);
  const cell = amountText(bound, steps);
  const read = numberReader(steps);
  const readStated = numberReader(stepSpecOf(source, spec));
  const total = new DecimalSum();
  /** The amounts that cannot be read. With one the sum proves nothing. */
  const unreadable = { count: 0, first_line: 0 };
  return {
    see({ cells, firstLine }) {
      const text = cell(cells);
      const amount = text === undefined ? undefined : read(text);
      if (amount) total.add(amount);
      else if (text !== undefined && ++unreadable.count === 1) unreadable.first_line = firstLine;
    },
    verdict(row, filtered) {
      const problem = (found: Problem): readonly CellProblem[] => [at(row, spec.cell, found)];
      const { column } = spec;
      const { count, first_line } = unreadable;
      if (count > 0)
        return problem(
          failure('trailer_unreadable', [], {
            reason: `the sum of \`${column}\` is not known: cells of it that are no numbers: ${count}, the first on line ${first_line}`,
          }),
        );
      const expected = readStated(textIn(row, spec.cell));
      if (!expected) return problem(unreadableTotal(row, spec.cell, record));
      const [one, other] = inOneUnit([expected, total.total ?? Decimal.of('0')], spec, field?.unit);
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

/** Says how many rows the filter leaves out of a total, if there are any. */
const leftOutFact = (filtered: number): string =>
  filtered === 0 ? '' : `; the filter leaves out ${filtered}`;

const ONLY_THE_SIGN =
  '; only the sign differs: `negative` or `negative_suffixes` of the sum says how it is written';

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

/** The text in a cell of the control record. The cell is filled up with spaces where columns are fixed. */
function textIn({ cells }: SourceRow, cell: number): string {
  return (cells[cell - 1] ?? '').trim();
}

function at(row: SourceRow, cell: number, problem: Problem): CellProblem {
  return { problem, cell: { file: null, line: row.firstLine, column: cell, header: null } };
}
