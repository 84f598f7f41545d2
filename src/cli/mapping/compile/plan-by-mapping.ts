import { DESCRIPTORS } from '../../../core/contract/resources.ts';
import { failure, pathOfAttr, warning } from '../../../core/problem.ts';
import { Decimal } from '../../../core/values/decimal.ts';
import type { ElementPaths, SourceRow } from '../../csv/source-row.ts';
import type { Mapping, MappingDocument, ContinuationSpec } from '../language/mapping.ts';
import type { Candidate, CellProblem, MappingPlan, PlanResult, UnusedColumn } from '../mapping-plan.ts';
import { decimalWarnings } from './amount-decimals.ts';
import { besideAmounts } from './beside-amounts.ts';
import { columnsOf, type Columns, elementHeader } from './columns.ts';
import { allOf } from './condition.ts';
import { dateOrders } from './date-orders.ts';
import type { JoinTables } from './joined-files.ts';
import { type Level, readColumn, sourceCell, type LineTally } from './level.ts';
import { nearListed } from './near-listed.ts';
import { equalRows, type RowOddities } from './oddities.ts';
import { oddTimes } from './odd-times.ts';
import { objectFields } from './record-fields.ts';
import { recordScope, noteKey, report, type Scope } from './scope.ts';
import { trailerCheck } from './trailer-check.ts';
import { isLeaf, visitFields } from '../language/field-visits.ts';
import { numberReader } from '../language/number-format.ts';
import { stepSpecOf } from '../language/source.ts';
import { withoutAlternative, type ColumnMap } from '../column-map.ts';
import { currencyReader, isCurrencyCode, minorDigitsOf } from '../language/currency-code.ts';
import { countIn } from '../../../core/values/counts.ts';

/** The plan for a file with a mapping file. Everything that does not depend on the row is decided here, once. */
export function planByMapping(
  mapping: Mapping,
  header: readonly string[],
  {
    supplier,
    joins,
    elements = null,
    typed,
  }: {
    /** Of --supplier. */
    supplier: string | undefined;
    /** The second files that the mapping joins. */
    joins: JoinTables;
    /** The key paths inside of the lists of JSON Lines; null for any other file. */
    elements?: ElementPaths | null | undefined;
    /** Of a query: the columns whose values are written as the interface writes them, whatever the source says. */
    typed?: ReadonlySet<string>;
  },
): PlanResult {
  const { document, tables } = mapping;
  const { shape, source = {}, fields } = document;
  const isKeyed = elements !== null || typed !== undefined;
  const columns = columnsOf(header, { isKeyed });
  const found: Level['found'] = { mapped: [], joined: [], amounts: new Map(), unmarked: [] };
  const level: Level = {
    source,
    columns,
    tables,
    joins,
    elements,
    typed,
    found,
    names: Object.keys(fields),
    use: 'record',
    origin: [],
    outer: null,
  };
  const record = objectFields(fields, shape, level);
  // Columns that decide about rows alone may differ between the rows of a record.
  const rowLevel: Level = { ...level, use: 'other' };
  const { continues, noteKeys } = continuation(document.continuation, rowLevel);
  const filter = rowFilter(mapping, rowLevel);
  const trailer = trailerCheck(document, rowLevel);
  const near = nearListed(mapping, rowLevel);
  const oddities: RowOddities[] = [
    dateOrders(mapping, columns),
    oddTimes(mapping, columns),
    equalRows(columns),
    currencyColumns(document, columns),
    near,
  ];
  const reportDifferences = differences(columns, level, found.mapped);
  const accountNumber = record.aloneField('external_account_number');
  const { amount: amountField } = DESCRIPTORS[document.resource];
  const amount = amountField === null ? undefined : record.aloneField(amountField.field);
  const seeColumns: RowOddities['see'] = (rows, made) => {
    for (const { see } of oddities) see(rows, made);
  };

  const plan: MappingPlan = {
    columns: found.mapped,
    filteredBy: filter.filteredBy,
    continues,
    trailer,
    accountNumberIn(rows) {
      return accountNumber?.(recordScope(rows, true)) as string | undefined;
    },
    amountIn(rows) {
      const value = amount?.(recordScope(rows, true));
      return value instanceof Decimal ? value : undefined;
    },
    passOver(rows) {
      seeColumns(rows);
      if (joins.size > 0) record.make(recordScope(rows, true));
    },
    candidateOf(rows, isTrial = false) {
      const scope = recordScope(rows, isTrial);
      if (rows.length > 1) {
        reportDifferences(scope);
        noteKeys(scope);
      }
      const made = (record.make(scope) ?? {}) as Readonly<Record<string, unknown>>;
      if (!isTrial) seeColumns(rows, made);
      const { problems, parts, sourceCells } = scope.record;
      // The problem of a cell that a field could not read is not reported a second time.
      const unread = filter
        .problemsOf(rows[0])
        .filter(({ cell }) => !problems.some(({ cell: known }) => known?.header === cell?.header));
      problems.push(...unread);
      return { ...withSupplier(made, supplier, problems), problems, parts, sourceCells };
    },
    // Making a record takes its rows of other files, so that they are not left over.
    leaveOut(rows) {
      near.see(rows);
      beside.pass();
      if (joins.size > 0) record.make(recordScope(rows, true));
    },
    *leftOver() {
      for (const table of new Set(joins.values())) yield* table.leftOver();
      yield* decimalWarnings(found.amounts.values());
      for (const { warnings } of oddities) yield* warnings();
    },
    unused: unusedColumns(document, columns, found.joined),
    acknowledged: filter.acknowledged,
  };
  const beside = besideAmounts(plan, amountField?.field);
  oddities.push(beside);
  return { plan, problems: headerProblems(found, columns) };
}

/** Account and record apart. The supplier of the command line is used where the cell has none. */
function withSupplier(
  made: Readonly<Record<string, unknown>>,
  supplier: string | undefined,
  problems: CellProblem[],
): Pick<Candidate, 'account' | 'record'> {
  const { import_supplier: mapped, external_account_number } = made;
  if (mapped !== undefined && supplier !== undefined && mapped !== supplier)
    problems.push({ problem: failure('mixed_suppliers', ['import_supplier']), cell: null });
  const account = { import_supplier: mapped ?? supplier, external_account_number };
  const record: Record<string, unknown> = {};
  for (const name of Object.keys(made)) if (!Object.hasOwn(account, name)) record[name] = made[name];
  return { account: account as never, record };
}

/** Leaves out rows for which all conditions of one entry hold. */
function rowFilter({ document: { filter = [], ignore = [] }, positionOf }: Mapping, level: Level) {
  const entries = filter.map((conditions, index) => {
    const { file, line, column } = positionOf(['filter', index]);
    const isIgnored = conditions.every(
      ({ column: name }) => name !== undefined && ignore !== 'all' && ignore.includes(name),
    );
    return { holds: allOf(conditions, level)!, place: `${file}:${line}:${column}`, isIgnored };
  });
  const unread = new WeakMap<SourceRow, readonly CellProblem[]>();
  return {
    acknowledged: new Set(entries.flatMap(({ place, isIgnored }) => (isIgnored ? place : []))),
    filteredBy(row: SourceRow) {
      if (entries.length === 0) return undefined;
      const scope = recordScope([row]);
      const place = entries.find(({ holds }) => holds(scope))?.place;
      const { problems } = scope.record;
      if (place === undefined && problems.length > 0) unread.set(row, problems);
      return place;
    },
    /** Problems of cells that the filter could not read, in a row that it did not leave out. */
    problemsOf: (row: SourceRow) => unread.get(row) ?? [],
  };
}

function headerProblems({ joined, unmarked }: Level['found'], columns: Columns): readonly CellProblem[] {
  const problems = [columns, ...joined].flatMap((each) => each.problems);
  for (const column of unmarked)
    problems.push(
      failure('query_invalid', [], { reason: `it gives the number \`${column}\`, which is text` }),
    );
  return problems.map((problem) => ({ problem, cell: null }));
}

/** The columns that nothing in a mapping uses: those of the file, those of lists in it, and places that `source.fixed` skips. */
function unusedColumns(
  document: MappingDocument,
  { names, isUsed }: Columns,
  joined: readonly Columns[],
): readonly UnusedColumn[] {
  const { source = {}, ignore = [] } = document;
  const amount = [...visitFields(document)].find(
    (visit) => isLeaf(visit) && visit.shape.facts.kind === 'decimal',
  );
  const readNumber = numberReader(stepSpecOf(amount?.source ?? source, amount?.spec));
  const made = (header: string, textOf: UnusedColumn['textOf']): UnusedColumn => {
    const isIgnored = ignore === 'all' ? 'by_all' : ignore.includes(header) && 'by_name';
    return { header, textOf, readNumber, isIgnored };
  };
  // Several fields may read one list, each with columns of its own.
  const isUsedKey = (list: string, name: string): boolean =>
    joined.some((each) => each.list === list && each.isUsed(each.names.indexOf(name)));
  return [
    ...names.flatMap((header, at) => (isUsed(at) ? [] : made(header, ({ cells }) => cells[at]))),
    ...joined.flatMap(({ list, names: keys }) =>
      keys.flatMap((key) =>
        list === null || isUsedKey(list, key) ? [] : made(elementHeader(list, key), null),
      ),
    ),
    ...(source.fixed ?? []).flatMap(({ skip }, place, all) => {
      const from = all.slice(0, place).reduce((sum, each) => sum + (each.width ?? each.skip!), 1);
      const textOf: UnusedColumn['textOf'] = ({ filledGaps }) => (filledGaps?.includes(place) ? '…' : '');
      return skip === undefined ? [] : made(`places ${from} to ${from + skip - 1}`, textOf);
    }),
  ];
}

/** Which rows are one record together. */
interface Continuation {
  readonly continues: MappingPlan['continues'];
  /** Notes the cells by which the rows of a record were put together. */
  noteKeys(scope: Scope): void;
}

function continuation(spec: ContinuationSpec | undefined, level: Level): Continuation {
  if (!spec) return { continues: () => false, noteKeys: () => undefined };
  const when = allOf(spec.when, level);
  if (when) return { continues: (row) => when(recordScope([row])), noteKeys: () => undefined };
  const keys = spec.key!.map((name) => readColumn(level, name));
  return {
    continues(row, first) {
      const own = keys.map(({ read }) => read(row.cells));
      if (own.every((cell) => cell === undefined)) return true;
      return first !== undefined && keys.every(({ read }, at) => own[at] === read(first.cells));
    },
    noteKeys(scope) {
      for (const { column, read } of keys) noteKey(scope, column, { path: [], text: read(scope.cells) });
    },
  };
}

/** Reports cells of later rows that differ from the first row, in columns that feed a field of the whole record. */
function differences(columns: Columns, level: Level, mapped: ColumnMap): (scope: Scope) => void {
  const shared = columns.names.flatMap((_, index) =>
    columns.isUsed(index, 'record') && !columns.isUsed(index, 'row') ? columns.at(index) : [],
  );
  const readers = shared.map((column) => {
    const fed = mapped.find(({ header, file }) => header === column.header && file === undefined);
    return {
      column,
      read: sourceCell(level, column),
      path: fed ? pathOfAttr(withoutAlternative(fed.attr)) : [],
    };
  });
  return (scope) => {
    const [first, ...later] = scope.record.rows;
    for (const row of later) {
      for (const { column, read, path } of readers) {
        const cell = read(row.cells);
        if (cell === undefined || cell === read(first.cells)) continue;
        const reason = `differs from the first row of the record, on line ${first.firstLine}`;
        report({ ...scope, line: row.firstLine }, path, column, failure('rows_not_joined', [], { reason }));
      }
    }
  };
}

/** More different values than this are no currencies of one file. */
const MOST = 20;

/** Columns that have the currencies of the rows, where the minor unit of one has other digits than the mapping says. */
function currencyColumns(document: MappingDocument, columns: Columns): RowOddities {
  const digits = minorDigitsIn(document);
  const open = new Set(
    (digits === undefined ? [] : columns.names).map((header, index) => {
      return { index, currencyOf: currencyReader(header), values: new Map<string, LineTally>() };
    }),
  );
  return {
    see(rows) {
      for (const column of open)
        for (const { cells, firstLine } of rows) {
          const value = (cells[column.index] ?? '').trim();
          if (value === '') continue;
          const currency = column.currencyOf(value);
          if (currency !== undefined) countIn(column.values, currency, firstLine);
          if (currency === undefined || column.values.size > MOST) open.delete(column);
        }
    },
    *warnings() {
      for (const { index, values } of open)
        for (const [currency, { count, first }] of values) {
          if (!isCurrencyCode(currency) || minorDigitsOf(currency) === digits) continue;
          const oddity = `are changed with ${digits} digits of the minor unit, and ${currency} has ${minorDigitsOf(currency)}`;
          const facts = { count, oddity };
          const cell = { ...columns.at(index).cell, line: first };
          yield { problem: warning('gross_amounts_look_like_major_units', [], facts), cell };
        }
    },
  };
}

/** The digits of the minor unit with which a mapping changes all of its amounts; undefined for none, or for several. */
function minorDigitsIn(document: MappingDocument): number | undefined {
  const changed = [...visitFields(document)].filter(isLeaf).flatMap(({ spec, shape }) => {
    const { unit, minor_digits: digits = 2 } = spec;
    return unit === undefined || unit === (shape.facts.unit ?? 'major') ? [] : [digits];
  });
  const [digits, ...others] = new Set(changed);
  return others.length > 0 ? undefined : digits;
}
