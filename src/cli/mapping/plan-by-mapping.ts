import { failure, warning } from '../../core/problem.ts';
import type { SourceRow } from '../csv/source-row.ts';
import type { Candidate, MappingPlan, MappingProblem } from './candidate.ts';
import { columnsOf, type Columns } from './columns.ts';
import { allOf } from './condition.ts';
import { continuation, differences } from './continuation.ts';
import { recordMaker, type FieldMaker, type FoundColumns } from './field-maker.ts';
import { recordShape } from './field-shape.ts';
import type { HeaderProblem, HeaderReading } from './header-reading.ts';
import type { JoinTables } from './join.ts';
import type { MappingDocument } from './mapping-file/mapping-schema.ts';
import type { Mapping } from './mapping.ts';
import { objectFields } from './object-fields.ts';
import { recordScope } from './scope.ts';
import { trailerCheck } from './trailer.ts';

/** What a mapping is tied to beside the header. */
export interface MappingTies {
  /** Of --supplier. */
  readonly supplier: string | undefined;
  /** The second files that the mapping joins, read. */
  readonly joins: JoinTables;
}

/** The mapping of one file by a mapping file. Everything that does not depend on the row is decided here, once. */
export function planByMapping(
  { document, tables }: Mapping,
  header: readonly string[],
  { supplier, joins }: MappingTies,
): HeaderReading {
  const { resource, source = {}, fields } = document;
  const columns = columnsOf(header);
  const found: FoundColumns = { mapped: [], joined: [] };
  const names = Object.keys(fields);
  const maker = recordMaker({ source, columns, tables, joins, names }, found);
  const record = objectFields(fields, recordShape(resource), maker);
  const beside = maker.inside({ origin: [], names: [], use: 'other' });
  const continues = continuation(document.continuation, beside);
  const filter = rowFilter(document, { maker, record });
  const trailer = trailerCheck(document, columns);
  const reportDifferences = differences(columns, maker, found.mapped);

  const plan: MappingPlan = {
    columns: found.mapped,
    isFiltered: filter.isFiltered,
    continues,
    trailer,
    candidateOf(rows) {
      const scope = recordScope(rows, record.slots);
      if (rows.length > 1) reportDifferences(scope);
      const made = (record.make(scope) ?? {}) as Readonly<Record<string, unknown>>;
      const { problems, parts } = scope.record;
      // A cell that its field could not read is told by the field.
      problems.push(
        ...filter
          .problemsOf(rows[0])
          .filter(({ place }) => !problems.some((known) => known.place?.column === place?.column)),
      );
      return { ...withSupplier(made, supplier, problems), problems, parts };
    },
    // Making a record is what takes its rows of other files.
    leaveOut:
      joins.size === 0 ? () => undefined : (rows) => void record.make(recordScope(rows, record.slots)),
    *leftOver() {
      for (const table of new Set(joins.values())) yield* table.leftOver();
    },
  };
  return { plan, problems: headerProblems(document, [columns, ...found.joined], supplier) };
}

/** Account and record apart; the supplier of the command line stands in where the cell says nothing. */
function withSupplier(
  { import_supplier: mapped, external_account_number, ...record }: Readonly<Record<string, unknown>>,
  supplier: string | undefined,
  problems: MappingProblem[],
): Pick<Candidate, 'account' | 'record'> {
  if (mapped !== undefined && supplier !== undefined && mapped !== supplier)
    problems.push({ problem: failure('mixed_suppliers', ['import_supplier']), place: null });
  const account = { import_supplier: mapped ?? supplier, external_account_number };
  return { account: account as never, record };
}

interface RowFilter {
  isFiltered(row: SourceRow): boolean;
  /** What the filter could not read in a row that it did not leave out. */
  problemsOf(row: SourceRow): readonly MappingProblem[];
}

/** Rows for which all conditions of one entry hold are left out. */
function rowFilter(
  { filter = [], fields }: MappingDocument,
  { maker, record }: { readonly maker: FieldMaker; readonly record: ReturnType<typeof objectFields> },
): RowFilter {
  // Columns of the filter alone may differ between the rows of a record.
  const beside = maker.inside({ origin: [], names: Object.keys(fields), use: 'other' });
  const entries = filter.map((conditions) => allOf(conditions, beside)!);
  const needsFields = filter.some((conditions) => conditions.some(({ field }) => field !== undefined));
  const unread = new WeakMap<SourceRow, readonly MappingProblem[]>();
  return {
    isFiltered(row) {
      if (entries.length === 0) return false;
      const scope = recordScope([row], record.slots);
      // What is wrong with the fields is told when the record is made.
      if (needsFields) record.make(scope);
      const problems: MappingProblem[] = [];
      const filterScope = { ...scope, record: { ...scope.record, problems } };
      const isFiltered = entries.some((holds) => holds(filterScope));
      if (!isFiltered && problems.length > 0) unread.set(row, problems);
      return isFiltered;
    },
    problemsOf: (row) => unread.get(row) ?? [],
  };
}

function headerProblems(
  { fields, ignore = [] }: MappingDocument,
  [columns, ...joined]: readonly [Columns, ...Columns[]],
  supplier: string | undefined,
): readonly HeaderProblem[] {
  const problems: HeaderProblem[] = [columns, ...joined].flatMap((each) =>
    each.problems.map((problem) => ({ problem, column: null, header: null })),
  );
  if (supplier === undefined && !('import_supplier' in fields))
    problems.push({ problem: failure('mapping_supplier_missing', []), column: null, header: null });
  columns.names.forEach((header, index) => {
    if (columns.isUsed(index) || ignore === 'all' || ignore.includes(header)) return;
    // A second column of a name that is used is told as such.
    if (columns.isUsed(columns.names.indexOf(header))) return;
    problems.push({ problem: warning('column_unused', []), column: index + 1, header });
  });
  return problems;
}
