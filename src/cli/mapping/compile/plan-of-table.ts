import { date, datetime, decimal } from '../../../core/contract/field.ts';
import { failure } from '../../../core/problem.ts';
import { Decimal } from '../../../core/values/decimal.ts';
import type { ElementPaths, SourceRow } from '../../csv/source-row.ts';
import { NO_CELL } from '../column-map.ts';
import { dateFormatNeeds } from '../language/date-reader.ts';
import { objectShape } from '../language/fields.ts';
import type { Mapping } from '../language/mapping.ts';
import { joinedSource, stepSpecOf, type ColumnTypeSpec, type QueryTableSpec } from '../language/source.ts';
import type { CellProblem, PlanResult } from '../mapping-plan.ts';
import { planByMapping } from './plan-by-mapping.ts';

/** A column of a table of a query, what its cells are, and whether the mapping says so. */
export type TableColumn = Readonly<{ name: string; kind: ColumnTypeSpec['kind']; isDeclared: boolean }>;

const NUMBER = decimal({ whole: 20, places: 18 });
const SCHEMAS = { integer: NUMBER, decimal: NUMBER, date: date(), datetime: datetime() } as const;

/** Numbers that BIGINT and DECIMAL(38) always hold. Any other one would be rounded, or refused with its value. */
const SHAPES = {
  integer: { holds: /^-?\d{1,18}$/, example: '1234' },
  decimal: { holds: /^-?\d{1,20}(?:\.\d{1,18})?$/, example: '1234.56' },
} as const;

/** A header that is tied to a table of a query. */
export interface TablePlan extends PlanResult {
  /** One without a name gets the number of its place. */
  readonly columns: readonly TableColumn[];
  /** The texts of a row, such as `-1234.50` and `2026-01-31`, undefined for no value; and the cells that are not what they are declared as. */
  read(row: SourceRow): { values: readonly (string | undefined)[]; problems: readonly CellProblem[] };
}

/** The plan for a table of a query. Each column with a type is a field, so that it is read as fields are. */
export function planOfTable(
  mapping: Mapping,
  [name, spec]: readonly [string, QueryTableSpec],
  {
    file,
    header,
    elements,
  }: { file: string; header: readonly string[]; elements?: ElementPaths | undefined },
): TablePlan {
  const { file: _, types = {}, ...own } = spec;
  const source = joinedSource(mapping.document.source, own);
  // No field of the interface has such a name, so that none is taken for the account.
  const typed = Object.entries(types).flatMap(([column, { kind, ...format }]) =>
    kind === 'text' ? [] : [{ field: `=${column}`, schema: SCHEMAS[kind], fed: { column, ...format } }],
  );
  const shape = objectShape(Object.fromEntries(typed.map(({ field, schema }) => [field, schema])));
  const fields = Object.fromEntries(typed.map(({ field, fed }) => [field, fed]));
  const columns = header.map((column, at): TableColumn => {
    const type = Object.hasOwn(types, column) ? types[column] : undefined;
    const named = column === '' ? `column_${at + 1}` : column;
    return { name: named, kind: type?.kind ?? 'text', isDeclared: type !== undefined };
  });
  const names = ['_row', ...columns.map((column) => column.name)];
  const alike = names.flatMap((each, at) => {
    const other = names.find((first) => first.toLowerCase() === each.toLowerCase())!;
    const reason = `${file} has the column \`${each}\`, which SQL cannot tell from \`${other}\``;
    return names.indexOf(other) < at ? [failure('header_duplicate', [], { reason })] : [];
  });
  const open = Object.values(types).flatMap(({ kind, ...format }) =>
    kind.startsWith('date') ? dateFormatNeeds(kind, stepSpecOf(source, format, kind)) : [],
  );
  const document = { resource: mapping.resource, shape, source, fields, ignore: 'all' } as const;
  const positionOf: Mapping['positionOf'] = (path) => mapping.positionOf(['source', 'tables', name, ...path]);
  const parts = { supplier: '', joins: new Map(), elements };
  const { plan, problems } = planByMapping({ ...mapping, document, positionOf }, header, parts);
  return {
    plan,
    problems: [...problems, ...[...open, ...alike].map((problem) => ({ problem, cell: null }))],
    columns,
    read(row) {
      const { record, problems: found } = plan.candidateOf([row]);
      const unfit: CellProblem[] = [];
      const values = columns.map(({ name: column, kind }, at) => {
        const value = (record as Record<string, Decimal | string>)[`=${column}`];
        const text = value instanceof Decimal ? value.text : value;
        if (kind !== 'integer' && kind !== 'decimal') return kind === 'text' ? row.cells[at] : text;
        const { holds, example } = SHAPES[kind];
        const cell = { ...NO_CELL, column: elements ? null : at + 1, header: header[at]! };
        if (text !== undefined && !holds.test(text))
          unfit.push({ problem: failure('number_unreadable', [], { example }), cell });
        return text;
      });
      return { values, problems: [...found, ...unfit] };
    },
  };
}
