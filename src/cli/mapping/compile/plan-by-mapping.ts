import { DESCRIPTORS } from '../../../core/contract/resources.ts';
import { failure } from '../../../core/problem.ts';
import { Decimal } from '../../../core/values/decimal.ts';
import type { ElementPaths, SourceRow } from '../../csv/source-row.ts';
import type { Mapping, MappingDocument } from '../language/mapping.ts';
import type { Candidate, CellProblem, MappingPlan, PlanResult, RecordRows } from '../mapping-plan.ts';
import { decimalWarnings } from './amount-decimals.ts';
import { besideAmounts } from './beside-amounts.ts';
import { columnsOf, type Columns } from './columns.ts';
import { allOf } from './condition.ts';
import { continuation, differences } from './continuation.ts';
import { currencyColumns } from './currency-columns.ts';
import { doubtfulDateOrders, exchangedDates } from './date-orders.ts';
import { byKeyPath } from './key-path-plan.ts';
import type { JoinTables } from './joined-files.ts';
import type { Level } from './level.ts';
import { nearListed } from './near-listed.ts';
import { unusedColumns } from './unused-columns.ts';
import { equalRows, type RowOddities } from './oddities.ts';
import { oddTimes } from './odd-times.ts';
import { objectFields } from './record-fields.ts';
import { recordScope } from './scope.ts';
import { trailerCheck } from './trailer-check.ts';

/** The plan for a file with a mapping file. Everything that does not depend on the row is decided here, once. */
export function planByMapping(
  mapping: Mapping,
  header: readonly string[],
  {
    supplier,
    joins,
    showValues = false,
    elements = null,
    typed,
  }: {
    /** Of --supplier. */
    supplier: string | undefined;
    /** The second files that the mapping joins. */
    joins: JoinTables;
    /** Whether problems may repeat values of cells. */
    showValues?: boolean;
    /** The key paths inside of the lists of JSON Lines; null for any other file. */
    elements?: ElementPaths | null | undefined;
    /** Of a query: the columns whose values are written as the interface writes them, whatever the source says. */
    typed?: ReadonlySet<string>;
  },
): PlanResult {
  const { document, tables } = mapping;
  const { shape, source = {}, fields } = document;
  const columns = columnsOf(header, { encoding: source.encoding });
  const found: Level['found'] = { mapped: [], joined: [], amounts: new Map(), unmarked: [] };
  const counting: Level['counting'] = { isTrial: false };
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
    counting,
  };
  const record = objectFields(fields, shape, level);
  // Columns that decide about rows alone may differ between the rows of a record.
  const rowLevel: Level = { ...level, use: 'other' };
  const { continues, noteKeys } = continuation(document.continuation, rowLevel);
  const filter = rowFilter(mapping, rowLevel);
  const trailer = trailerCheck(document, rowLevel);
  const near = nearListed(mapping, rowLevel, showValues);
  const oddities: RowOddities[] = [
    doubtfulDateOrders(mapping, columns),
    exchangedDates(mapping, columns),
    oddTimes(mapping, columns),
    equalRows(columns),
    currencyColumns(document, columns),
    near,
  ];
  const reportDifferences = differences(columns, level, found.mapped);
  const accountNumber = record.aloneField('external_account_number');
  const { amount: amountField } = DESCRIPTORS[document.resource];
  const amount = amountField === null ? undefined : record.aloneField(amountField.field);
  const seeColumns = (rows: RecordRows): void => {
    for (const { see } of oddities) see(rows);
  };
  const onTrial = <T>(make: () => T): T => {
    counting.isTrial = true;
    const made = make();
    counting.isTrial = false;
    return made;
  };

  const plan: MappingPlan = {
    columns: found.mapped,
    filteredBy: filter.filteredBy,
    continues,
    trailer,
    accountNumberIn(rows) {
      if (!accountNumber) return undefined;
      return onTrial(() => accountNumber(recordScope(rows, record.slots))) as string | undefined;
    },
    amountIn(rows) {
      const value = amount && onTrial(() => amount(recordScope(rows, record.slots)));
      return value instanceof Decimal ? value : undefined;
    },
    passOver(rows) {
      seeColumns(rows);
      if (joins.size === 0) return;
      onTrial(() => record.make(recordScope(rows, record.slots)));
    },
    candidateOf(rows, isTrial = false) {
      const scope = recordScope(rows, record.slots);
      if (rows.length > 1) {
        reportDifferences(scope);
        noteKeys(scope);
      }
      const make = (): unknown => record.make(scope) ?? {};
      const made = (isTrial ? onTrial(make) : make()) as Readonly<Record<string, unknown>>;
      if (!isTrial) seeColumns(rows);
      const { problems, parts, sourceCells } = scope.record;
      // The problem of a cell that a field could not read is not reported a second time.
      const unread = filter
        .problemsOf(rows[0])
        .filter(({ cell }) => !problems.some((known) => known.cell?.column === cell?.column));
      problems.push(...unread);
      return { ...withSupplier(made, supplier, problems), problems, parts, sourceCells };
    },
    // Making a record takes its rows of other files, so that they are not left over.
    leaveOut(rows) {
      near.see(rows);
      beside.pass();
      if (joins.size > 0) onTrial(() => record.make(recordScope(rows, record.slots)));
    },
    *leftOver() {
      for (const table of new Set(joins.values())) yield* table.leftOver();
      yield* decimalWarnings(found.amounts.values());
      for (const { warnings } of oddities) yield* warnings();
    },
    unused: unusedColumns(document, columns, found.joined),
    acknowledged: filter.acknowledged,
  };
  const beside = besideAmounts(plan.unused, plan);
  oddities.push(beside);
  const unmarked = found.unmarked.map((column) => ({
    problem: failure('query_invalid', [], {
      reason: `it gives the number \`${column}\`, which is text`,
    }),
    cell: null,
  }));
  const result = {
    plan,
    problems: [...headerProblems(document, [columns, ...found.joined], supplier), ...unmarked],
  };
  return elements === null ? result : byKeyPath(result);
}

/** Account and record apart. The supplier of the command line is used where the cell has none. */
function withSupplier(
  { import_supplier: mapped, external_account_number, ...record }: Readonly<Record<string, unknown>>,
  supplier: string | undefined,
  problems: CellProblem[],
): Pick<Candidate, 'account' | 'record'> {
  if (mapped !== undefined && supplier !== undefined && mapped !== supplier)
    problems.push({ problem: failure('mixed_suppliers', ['import_supplier']), cell: null });
  const account = { import_supplier: mapped ?? supplier, external_account_number };
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
      const scope = recordScope([row], 0);
      const place = entries.find(({ holds }) => holds(scope))?.place;
      const { problems } = scope.record;
      if (place === undefined && problems.length > 0) unread.set(row, problems);
      return place;
    },
    /** Problems of cells that the filter could not read, in a row that it did not leave out. */
    problemsOf: (row: SourceRow) => unread.get(row) ?? [],
  };
}

function headerProblems(
  { fields }: MappingDocument,
  [columns, ...joined]: readonly [Columns, ...Columns[]],
  supplier: string | undefined,
): readonly CellProblem[] {
  const problems: CellProblem[] = [columns, ...joined].flatMap((each) =>
    each.problems.map((problem) => ({ problem, cell: null })),
  );
  if (supplier === undefined && !('import_supplier' in fields))
    problems.push({
      problem: failure('setting_missing', [], {
        setting: 'supplier',
        flag: '--supplier or `import_supplier` in `fields` of the mapping',
        variable: 'DATAIMPORT_SUPPLIER',
      }),
      cell: null,
    });
  return problems;
}
