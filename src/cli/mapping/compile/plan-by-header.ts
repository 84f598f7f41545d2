import { ACCOUNT_FIELDS } from '../../../core/contract/account.ts';
import { RESOURCES, type Descriptors, type Resource } from '../../../core/contract/resources.ts';
import { attrOfPath, failure, warning, type Path, type Problem } from '../../../core/problem.ts';
import { nearestName } from '../../../core/suggestion.ts';
import { Decimal } from '../../../core/values/decimal.ts';
import { lostFrom, valueAt, type Cells } from '../../csv/key-paths.ts';
import { NO_CELL, type MappedColumn } from '../column-map.ts';
import { fieldNames, fieldOfName, requiredFields, type NamedField } from '../language/fields.ts';
import { interfaceValue, jsonValue, lostKeyProblem } from '../language/interface-value.ts';
import { StepProblem } from '../language/step-problem.ts';
import type { CellProblem, MappingPlan, PlanResult } from '../mapping-plan.ts';
import { AmountColumn, decimalWarnings, isMoney } from './amount-decimals.ts';

/** A mapped column with what is needed to read its cells. */
type ReadyColumn = MappedColumn & NamedField & { readonly index: number; readonly isOfAccount: boolean };

/** The plan for a file without a mapping file, whose headers are the names of the interface. `isKeyed`: they are key paths. */
export function planByHeader(
  resource: Resource,
  header: readonly string[],
  supplier: string | undefined,
  { descriptors, isKeyed = false }: { descriptors?: Descriptors | undefined; isKeyed?: boolean } = {},
): PlanResult {
  const problems: CellProblem[] = [];
  const columns: ReadyColumn[] = [];
  // A line of JSON has the whole of an open object, and a column has one of its values.
  const named = (name: string): NamedField | undefined => {
    const field = fieldOfName(resource, name, descriptors);
    return isKeyed && field?.isUnnamed ? undefined : field;
  };
  // The field of a column may be one that the contract does not have: the check of the record refuses its values.
  const fields = header.map((name) =>
    name === ''
      ? undefined
      : (named(name) ??
        fieldOfName(resource, name) ??
        (isKeyed ? freeFieldAround(resource, name, descriptors) : undefined)),
  );
  const names = [...fieldNames(resource, descriptors), ...fieldNames(resource)];
  const unknown = (name: string): Problem => unknownHeader(resource, name, names);
  // Several cells with digits, and without a field or a name like one, are a row of data, whose values are not repeated.
  const isHeader =
    fields.some(Boolean) ||
    header.length === 1 ||
    !header.some((name) => /\d/.test(name)) ||
    header.some((name) => unknown(name).severity === 'error');
  header.forEach((name, index) => {
    if (!isHeader) return;
    const field = fields[index];
    const first = header.indexOf(name);
    if (name === '') report(failure('header_name_empty', []), index);
    else if (first !== index) {
      const reason = `the header \`${name}\` occurs twice, first in column ${first + 1}`;
      report(failure('header_duplicate', [], { reason }), index);
    } else if (field) {
      const attr = attrOfPath(field.path);
      if (!columns.some((column) => column.attr === attr))
        columns.push({ ...field, index, header: attr, attr, isOfAccount: ACCOUNT_FIELDS.has(attr) });
    } else report(unknown(name), index);
  });
  const parentOf = (column: ReadyColumn): ReadyColumn | undefined =>
    columns.find((other) => column.attr.startsWith(`${other.attr}.`));
  for (const column of columns) {
    const parent = parentOf(column);
    // JSON Lines have the whole object of a free field.
    if (!parent || (isKeyed && parent.isFree)) continue;
    const reason = `the headers \`${column.header}\` and \`${parent.header}\` fill the same field`;
    report(failure('header_duplicate', [], { reason }), column.index);
  }
  for (const problem of missingColumns(requiredFields(resource, descriptors), columns, supplier))
    problems.push({ problem, cell: null });
  // The rows are checked all the same, and a part cannot be put into the value that the cell of the whole gave.
  const fed = columns.filter((column) => !parentOf(column));
  return { plan: planOf(fed, { supplier, header, isKeyed }), problems };

  function report(problem: Problem, index: number): void {
    const column = isKeyed ? null : index + 1;
    problems.push({ problem, cell: { ...NO_CELL, column, header: header[index]! } });
  }
}

/**
 * The resource that the columns belong to when it is not the named one: they have everything that it requires, and no row can
 * be a record of the named resource.
 */
export function otherResourceOf(
  header: readonly string[],
  named: Resource,
  descriptors?: Descriptors,
): Resource | undefined {
  const known = new Set(header.map((name) => name.split('.')[0]!));
  const has = (resource: Resource): boolean =>
    requiredFields(resource, descriptors).every((field) => ACCOUNT_FIELDS.has(field) || known.has(field));
  const ownFields = (resource: Resource): number =>
    fieldNames(resource, descriptors).filter((name) => known.has(name) && !ACCOUNT_FIELDS.has(name)).length;
  const ofNamed = ownFields(named);
  if (ofNamed > 0 && has(named)) return undefined;
  return RESOURCES.find((resource) => has(resource) && ownFields(resource) > ofNamed);
}

/** The free field that has the values below a key path; undefined when there is none. */
function freeFieldAround(
  resource: Resource,
  name: string,
  descriptors: Descriptors | undefined,
): NamedField | undefined {
  for (let end = name.indexOf('.'); end >= 0; end = name.indexOf('.', end + 1)) {
    const field = fieldOfName(resource, name.slice(0, end), descriptors);
    if (field?.isFree) return field;
  }
  return undefined;
}

/** A near miss is a typo and stops the run. A column of the supplier's own is reported once and left out. */
function unknownHeader(resource: Resource, header: string, names: readonly string[]): Problem {
  const outer = header.split('.')[0]!;
  if (names.includes(outer)) return failure('header_unknown', [], { header, resource, suggestion: '' });
  const near = nearestName(outer, names);
  return near === undefined
    ? warning('header_unknown', [], { header, resource, suggestion: '; it is left out' })
    : failure('header_unknown', [], { header, resource, suggestion: `; did you mean \`${near}\`?` });
}

function missingColumns(
  required: readonly string[],
  columns: readonly ReadyColumn[],
  supplier: string | undefined,
): readonly Problem[] {
  const present = new Set(columns.map((column) => column.path[0]));
  const needed = supplier === undefined ? ['import_supplier', ...required] : required;
  return needed.flatMap((field) => {
    const hint = field === 'import_supplier' ? ', or give --supplier' : '';
    return present.has(field) ? [] : failure('column_missing', [], { field, hint });
  });
}

function planOf(
  columns: readonly ReadyColumn[],
  {
    supplier,
    header,
    isKeyed,
  }: { supplier: string | undefined; header: readonly string[]; isKeyed: boolean },
): MappingPlan {
  // Looking for gaps in every record takes a twentieth of the time of `check`.
  const hasLists = columns.some(({ path }) => path.length > 1);
  const account = columns.find(({ attr }) => attr === 'external_account_number');
  const amounts = new Map(
    columns
      .filter(({ kind, path }) => kind === 'decimal' && isMoney(path))
      .map(({ path, index, header }) => {
        const cell = { ...NO_CELL, column: isKeyed ? null : index + 1, header };
        return [index, new AmountColumn(path, cell)] as const;
      }),
  );
  return {
    columns: columns.map(({ index, header, attr }) => ({ index: isKeyed ? null : index, header, attr })),
    // Every row is a record of its own, none is left out, and the file is read alone.
    filteredBy: () => undefined,
    continues: () => false,
    leaveOut: () => undefined,
    passOver: () => undefined,
    amountIn: () => undefined,
    unused: [],
    acknowledged: new Set(),
    trailer: null,
    accountNumberIn: ([{ cells }]) => (account && cells[account.index]) || undefined,
    candidateOf([row]) {
      const record: Tree = {};
      const account: Tree = { import_supplier: supplier, external_account_number: undefined };
      const problems: CellProblem[] = [];
      for (const column of columns) {
        const cell = row.cells[column.index] ?? '';
        // Only JSON Lines have values that no cell shows.
        if (cell === '' && !row.cells.object) continue;
        let value: unknown;
        if (row.cells.object && column.isFree) value = freeValue(row.cells, header, column);
        else if (cell !== '') value = cellValue(cell, column);
        if (value === undefined) continue;
        if (value instanceof StepProblem) {
          problems.push({ problem: { ...value.problem, path: column.path }, cell: null });
          value = value.value;
        }
        if (value instanceof Decimal) amounts.get(column.index)?.note(cell, '.', row.firstLine);
        if (column.attr === 'import_supplier' && supplier !== undefined && value !== supplier)
          problems.push({ problem: failure('mixed_suppliers', column.path), cell: null });
        if (value === undefined) continue;
        const tree = column.isOfAccount ? account : record;
        if (column.path.length === 1) tree[column.attr] = value;
        else place(tree, column.path, value);
      }
      if (hasLists) reportGaps(record, [], problems);
      // No step is between a cell and its field.
      return { account: account as never, record, problems, parts: [], sourceCells: [] };
    },
    leftOver: () => decimalWarnings(amounts.values()),
  };
}

/** Reads a cell that is not empty, as the interface writes values. Warns of numbers that look like a mistake. */
function cellValue(cell: string, { kind, path, choices }: ReadyColumn): unknown {
  // A value of few is that very text, because looking up a new text takes long.
  if (kind === 'text') {
    for (const choice of choices) if (choice === cell) return choice;
    return cell;
  }
  if (kind === 'json') return jsonValue(cell, path.at(-1));
  const value = interfaceValue(cell, kind);
  if (kind !== 'decimal') return value;
  if (value instanceof Decimal && value.isZero && cell.startsWith('-'))
    return new StepProblem(warning('negative_zero', []), value);
  return LEADING_ZERO.test(cell) ? new StepProblem(warning('leading_zeros', []), value) : value;
}

/** The value of a free field as JSON Lines have it. */
function freeValue(cells: Cells, header: readonly string[], { attr }: ReadyColumn): unknown {
  const value = valueAt(cells.object, attr);
  const lost = lostFrom(cells, header, attr);
  if (lost !== undefined) return new StepProblem(lostKeyProblem(lost));
  return value === null ? undefined : value;
}

const LEADING_ZERO = /^-?0\d/;

/** Objects and, under their indexes, the lists that are being made. */
type Tree = { [part: string | number]: unknown };

function place(tree: Tree, path: Path, value: unknown): void {
  let at = tree;
  path.slice(0, -1).forEach((part, depth) => {
    at = (at[part] ??= typeof path[depth + 1] === 'number' ? [] : {}) as Tree;
  });
  at[path.at(-1)!] = value;
}

/** Reports gaps in lists made from numbered columns. An item that vanished would shift the others. */
function reportGaps(tree: Tree, path: Path, problems: CellProblem[]): void {
  for (const [part, value] of Array.isArray(tree) ? tree.entries() : Object.entries(tree)) {
    if (value === undefined)
      problems.push({
        problem: failure('list_unreadable', [...path, part], {
          reason: `item ${(part as number) + 1} of the list is empty and a later item is not`,
          todo: 'Move the later item to the left.',
        }),
        cell: null,
      });
    else if (isTree(value)) reportGaps(value, [...path, part], problems);
  }
}

function isTree(value: unknown): value is Tree {
  return Array.isArray(value) || (value !== null && Object.getPrototypeOf(value) === Object.prototype);
}
