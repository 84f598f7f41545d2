import type { Resource } from '../../core/contract/resources.ts';
import { failure, warning, type Path, type Problem } from '../../core/problem.ts';
import { nearestName } from '../../core/suggestion.ts';
import type { MappingPlan } from './candidate.ts';
import { readCell } from './cell.ts';
import { fieldNames, fieldOfName, requiredFields, type CellKind } from './column.ts';
import type { MappedColumn } from './column-map.ts';
import type { HeaderReading } from './header-reading.ts';

/** A mapped column with what is needed to read its cells. */
interface ReadyColumn extends MappedColumn {
  readonly path: Path;
  readonly kind: CellKind;
}

/** The mapping of a file whose headers are the contract's own field names (cli.md, `--map`). */
export function planByHeader(
  resource: Resource,
  header: readonly string[],
  supplier: string | undefined,
): HeaderReading {
  const problems: HeaderReading['problems'][number][] = [];
  const columns: ReadyColumn[] = [];
  header.forEach((name, index) => {
    const field = fieldOfName(resource, name);
    const first = header.indexOf(name);
    if (name === '') report(failure('header_name_empty', []), index);
    else if (first !== index)
      report(failure('header_duplicate', [], { header: name, first_column: first + 1 }), index);
    else if (field) columns.push({ ...field, index, header: name, attr: name });
    else report(unknownHeader(resource, name), index);
  });
  const parentOf = (column: ReadyColumn): ReadyColumn | undefined =>
    columns.find((other) => column.attr.startsWith(`${other.attr}.`));
  for (const column of columns) {
    const parent = parentOf(column);
    if (parent)
      report(failure('header_conflict', [], { header: column.header, other: parent.header }), column.index);
  }
  for (const field of missingFields(resource, columns, supplier)) {
    problems.push({ problem: field, column: null, header: null });
  }
  // The rows are checked all the same, and a part cannot be put into what the cell of the whole gave.
  const plan = planOf(
    columns.filter((column) => !parentOf(column)),
    supplier,
  );
  return { plan, problems };

  function report(problem: Problem, index: number): void {
    problems.push({ problem, column: index + 1, header: header[index]! });
  }
}

/** A near miss is a typo and stops the run; a column of the supplier's own is told once and left out (cli.md). */
function unknownHeader(resource: Resource, header: string): Problem {
  const names = fieldNames(resource);
  const outer = header.split('.')[0]!;
  if (names.includes(outer)) return failure('header_unknown', [], { header, resource, suggestion: '' });
  const near = nearestName(outer, names);
  return near === undefined
    ? warning('header_unknown', [], { header, resource, suggestion: '; it is left out' })
    : failure('header_unknown', [], { header, resource, suggestion: `; did you mean \`${near}\`?` });
}

function missingFields(
  resource: Resource,
  columns: readonly ReadyColumn[],
  supplier: string | undefined,
): Problem[] {
  const present = new Set(columns.map((column) => String(column.path[0])));
  const wanted = ['external_account_number', ...requiredFields(resource)];
  if (supplier === undefined) wanted.unshift('import_supplier');
  return wanted
    .filter((field) => !present.has(field))
    .map((field) =>
      failure('column_missing', [], {
        field,
        hint: field === 'import_supplier' ? ', or give --supplier' : '',
      }),
    );
}

/** Every row is a record of its own, none is left out, and nothing stands beside the file. */
const ROW_BY_ROW = {
  isFiltered: () => false,
  continues: () => false,
  leaveOut: () => undefined,
  trailer: null,
  leftOver: () => [],
} as const satisfies Partial<MappingPlan>;

function planOf(columns: readonly ReadyColumn[], supplier: string | undefined): MappingPlan {
  // Looking for gaps in every record takes a twentieth of a check.
  const hasLists = columns.some(({ path }) => path.length > 1);
  return {
    columns: columns.map(({ index, header, attr }) => ({ index, header, attr })),
    ...ROW_BY_ROW,
    candidateOf([row]) {
      const tree: Tree = {};
      const problems: Problem[] = [];
      if (supplier !== undefined) tree['import_supplier'] = supplier;
      for (const column of columns) {
        const cell = row.cells[column.index] ?? '';
        if (cell === '') continue;
        const { value, problem } = readCell(cell, column.kind, column.path);
        if (problem) problems.push(problem);
        if (column.attr === 'import_supplier' && supplier !== undefined && value !== supplier) {
          problems.push(failure('mixed_suppliers', column.path));
        }
        if (value !== undefined) place(tree, column.path, value);
      }
      if (hasLists) reportGaps(tree, [], problems);
      const { import_supplier, external_account_number, ...record } = tree;
      return {
        account: { import_supplier, external_account_number } as never,
        record,
        problems: problems.map((problem) => ({ problem, place: null })),
        parts: [],
      };
    },
  };
}

/** Objects and, under their indexes, lists in the making. */
type Tree = { [part: string | number]: unknown };

function place(tree: Tree, path: Path, value: unknown): void {
  let at = tree;
  path.slice(0, -1).forEach((part, depth) => {
    at = (at[part] ??= typeof path[depth + 1] === 'number' ? [] : {}) as Tree;
  });
  at[path.at(-1)!] = value;
}

/** Lists made from numbered columns must have no hole: an item that vanished would shift the others. */
function reportGaps(tree: Tree, path: Path, problems: Problem[]): void {
  for (const [part, value] of Array.isArray(tree) ? tree.entries() : Object.entries(tree)) {
    if (value === undefined)
      problems.push(failure('list_gap', [...path, part], { index: (part as number) + 1 }));
    else if (isTree(value)) reportGaps(value, [...path, part], problems);
  }
}

function isTree(value: unknown): value is Tree {
  return Array.isArray(value) || (value !== null && Object.getPrototypeOf(value) === Object.prototype);
}
