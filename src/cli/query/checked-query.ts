import type { DuckDBConnection } from '@duckdb/node-api';
import { failure, type Problem } from '../../core/problem.ts';
import type { ItemCell } from '../csv/source-row.ts';
import { NO_CELL } from '../mapping/column-map.ts';
import { refusals, textUses, type WrittenQuery } from './query-checks.ts';
import { literal, textOf, valuesOf } from './query-database.ts';
import {
  callNode,
  columnName,
  columnNames,
  functionName,
  leavesOf,
  modifierOf,
  parsedTree,
  partsOf,
  placesIn,
  rowNode,
  type TreeNode,
} from './syntax-tree.ts';
import type { TableReading } from './table-reading.ts';

/** A column of the result that a mapping can name. */
export interface QueryColumn {
  readonly name: string;
  /** Its index in the result. */
  readonly at: number;
  /** As DuckDB writes it, such as DECIMAL(38,2). */
  readonly type: string;
  /** The cell, without its line; and the index in the result of the `_row` that has its line, null for a value that is calculated. */
  readonly cell: ItemCell;
  readonly rowAt: number | null;
}

/** A query that can run. */
export interface CheckedQuery {
  /** Gives the columns of the result, and behind them the `_row` of the tables that it reads. */
  readonly sql: string;
  readonly columns: readonly QueryColumn[];
  /** Those `_row`, the one of the record first. */
  readonly rows: readonly [ResultRow, ...ResultRow[]];
  readonly hasOrder: boolean;
}

/** A `_row` of the result: the table or the name of WITH that it is read from, its index, and whether it is a list. */
export type ResultRow = Readonly<{ alias: string; table: string; at: number; isList: boolean }>;

const NOBODYS_ROWS =
  'nobody knows whose rows the result of DISTINCT, UNION, INTERSECT or EXCEPT has; write GROUP BY ALL, or a mapping for each SELECT';

const invalid = (reason: string): Problem => failure('query_invalid', [], { reason });

/** Checks a query against its tables, which may be empty. @returns the query, or why it is refused */
export async function checkedQuery(
  db: DuckDBConnection,
  { sql, mayRepeat }: { sql: string; mayRepeat: boolean },
  tables: readonly TableReading[],
): Promise<CheckedQuery | readonly Problem[]> {
  const document = parsedTree(await textOf(db, `SELECT json_serialize_sql(${literal(sql)})`));
  if (!document.statements) return [invalid(document.error_message!)];
  const [{ node: tree }, ...others] = document.statements;
  if (others.length > 0) return [invalid('it has more than one statement')];
  const targets = modifierOf(tree, 'DISTINCT_MODIFIER')?.distinct_on_targets ?? [tree];
  if (tree.type !== 'SELECT_NODE' || targets.length === 0) return [invalid(NOBODYS_ROWS)];
  const runs = () => textOf(db, `SELECT json_deserialize_sql(${literal(JSON.stringify(document))})`);
  const columnsNow = async () => resultColumns(db, await runs());
  const binds = async (): Promise<boolean> => typeof (await columnsNow()) !== 'string';
  const columns = await columnsNow();
  if (typeof columns === 'string') return [invalid(columns)];

  const query: WrittenQuery = {
    sql,
    tree,
    tables: new Map(tables.map((table) => [table.name, table.kinds])),
  };
  const changing = "SELECT function_name FROM duckdb_functions() WHERE stability <> 'CONSISTENT'";
  const refused = refusals(query, new Set((await valuesOf(db, changing)).map(([name]) => String(name))));
  if (refused.length > 0) return refused;
  const uses = await textUses(query, binds);
  if (uses.length > 0) return uses;
  const float = columns.find(({ type }) => /DOUBLE|FLOAT/.test(type));
  if (float) return [failure('query_float', [], { what: `\`${float.name}\`` })];
  await raiseErrors(query, { mayRepeat, binds });

  await passRowsOn(tree, tables[0]!.name, binds);
  const all = await columnsNow();
  if (typeof all === 'string') return [invalid(all)];
  const items = [...tree.select_list!];
  const rows: ResultRow[] = [];
  for (const leaf of leavesOf(tree.from_table!)) {
    const type = await addRow(tree, leaf.alias, columnsNow);
    if (type !== undefined) rows.push({ ...leaf, at: all.length + rows.length, isList: type !== 'BIGINT' });
  }
  const record = recordRow(items, rows, tables);
  if (!record) return [failure('query_row_missing', [], { table: tables[0]!.name })];
  const hasStar = items.some((item) => item.class === 'STAR');
  return {
    sql: await runs(),
    columns: all.flatMap(({ name, type }, at) => {
      const item = hasStar ? items.find((each) => outputName(each) === name) : items[at];
      const isRow = name === '_row' || (name.endsWith('_row') && item && columnName(item) === '_row');
      return isRow ? [] : [{ name, type, at, ...originOf(name, item, { rows, tables }) }];
    }),
    rows: [record, ...rows.filter((row) => row !== record)],
    hasOrder: modifierOf(tree, 'ORDER_MODIFIER') !== undefined,
  };
}

/** Selects `_row` of the first table in each subquery without groups, so that the query around it knows the row. */
async function passRowsOn(tree: TreeNode, first: string, binds: () => Promise<boolean>): Promise<void> {
  for (const { node: select } of placesIn(tree)) {
    const isPlain =
      select.aggregate_handling === 'STANDARD_HANDLING' && !modifierOf(select, 'DISTINCT_MODIFIER');
    const leaf = isPlain ? leavesOf(select.from_table!).find(({ table }) => table === first) : undefined;
    if (leaf && select.select_list!.push(rowNode(leaf.alias)) && !(await binds())) select.select_list!.pop();
  }
}

/** Adds the `_row` of a table or subquery to a SELECT, as a list where it has groups. @returns its type; undefined where there is none */
async function addRow(
  select: TreeNode,
  alias: string,
  columnsNow: () => Promise<readonly { type: string }[] | string>,
): Promise<string | undefined> {
  const list = select.select_list!;
  const forms = [rowNode(alias), { ...callNode('list', rowNode(alias)), distinct: true }];
  // In GROUP BY ALL, `_row` itself would make a group of each row.
  for (const form of select.aggregate_handling === 'FORCE_AGGREGATES' ? forms.slice(1) : forms) {
    list.push(form);
    const found = await columnsNow();
    if (typeof found !== 'string' && /^BIGINT(?:\[\])?$/.test(found.at(-1)!.type)) return found.at(-1)!.type;
    list.pop();
  }
  return undefined;
}

/** The `_row` of the records: the one that is selected, else that of the first table, else that of a subquery that may have its rows. */
function recordRow(
  items: readonly TreeNode[],
  rows: readonly ResultRow[],
  tables: readonly TableReading[],
): ResultRow | undefined {
  const isOther = ({ table }: ResultRow): boolean => tables.slice(1).some(({ name }) => name === table);
  const selected = items
    .flatMap(partsOf)
    .map(columnNames)
    .find((names) => names.length > 1 && names.at(-1) === '_row');
  const named = rows.find((row) => row.alias === selected?.[0] && !isOther(row));
  const own = rows.filter(({ table }) => table === tables[0]!.name);
  return named ?? (own.length > 1 ? undefined : (own[0] ?? rows.find((row) => !isOther(row))));
}

/** The cell of a column that is selected as it is. Behind an asterisk it has the name that it has in its table. */
function originOf(
  name: string,
  item: TreeNode | undefined,
  { rows, tables }: { rows: readonly ResultRow[]; tables: readonly TableReading[] },
): Pick<QueryColumn, 'cell' | 'rowAt'> {
  const [column, alias] = item ? columnNames(item).toReversed() : [name.toLowerCase()];
  const owners = rows.flatMap((row) => {
    const table = tables.findIndex((each) => each.name === row.table);
    const index = tables[table]?.names.findIndex((each) => each.toLowerCase() === column) ?? -1;
    return index >= 0 && (alias === undefined || alias === row.alias) ? [{ row, table, index }] : [];
  });
  const [owner] = owners;
  if (!owner || owners.length > 1) return { cell: { ...NO_CELL, header: name }, rowAt: null };
  const { file, names, isJsonLines } = tables[owner.table]!;
  const place = { file: owner.table === 0 ? null : file.name, column: isJsonLines ? null : owner.index + 1 };
  return { cell: { ...place, line: null, header: names[owner.index]! }, rowAt: owner.row.at };
}

const outputName = (item: TreeNode): string | undefined => item.alias || item.column_names?.at(-1);

/** The columns of a query; or why DuckDB cannot run it, which names columns and has no values. */
async function resultColumns(
  db: DuckDBConnection,
  sql: string,
): Promise<readonly { name: string; type: string }[] | string> {
  try {
    const prepared = await db.prepare(sql);
    return Array.from({ length: prepared.columnCount }, (_, at) => ({
      name: prepared.columnName(at),
      type: String(prepared.columnType(at)),
    }));
  } catch (error) {
    const [message] = (error as Error).message.split('\n');
    const isOfText = message!.includes('VARCHAR');
    return `${message}${isOfText ? '; a column is text (VARCHAR) unless `types` of its table says what it is' : ''}`;
  }
}

/** Functions that add up their values, so that a row that comes twice counts twice. */
const ADDS_UP = /^(?:sum|avg|mean|count|product|list|array_agg|string_agg|group_concat)$/;
const TAKES_ANY = /^(?:any_value|arbitrary|first|last)$/;
const MAKES_TEXT =
  /^(?:\|\||concat(?:_ws)?|to_json|json_object|json_array|format|printf|string_agg|group_concat)$/;

/**
 * Has the query raise an error: for a float that becomes a text, for any value of a group with several, and for a row that is added up
 * twice.
 */
async function raiseErrors(
  { tree, tables }: WrittenQuery,
  { mayRepeat, binds }: { mayRepeat: boolean; binds: () => Promise<boolean> },
): Promise<void> {
  for (const { node, parent, key, select } of placesIn(tree).toReversed()) {
    const name = functionName(node);
    const { children: values } = node;
    if (node.class === 'CAST' && JSON.stringify(node.cast_type).includes('VARCHAR'))
      parent[key] = { ...node, child: callNode('exact', node.child!) };
    if (!/^(?:FUNCTION|WINDOW)$/.test(node.class ?? '') || !values) continue;
    if (MAKES_TEXT.test(name))
      node.children = values.map((value) => (value.class === 'CONSTANT' ? value : callNode('exact', value)));
    if (TAKES_ANY.test(name) && !node.order_bys?.orders?.[0] && !node.filter && node.class === 'FUNCTION')
      parent[key] = { ...callNode('single', values[0]!), alias: node.alias };
    const row = mayRepeat || !ADDS_UP.test(name) || node.distinct ? undefined : rowOf(values, select);
    if (!row) continue;
    const unordered = node.order_bys && { order_bys: { type: 'ORDER_MODIFIER', orders: [] } };
    const count = { ...node, ...unordered, function_name: 'count', children: [row], alias: '' };
    parent[key] = callNode('unlike', node, count, { ...count, distinct: true });
    if (!(await binds())) parent[key] = node;
  }

  /** What tells apart the rows that are added up: the `_row` of each joined table or subquery whose columns the values name. */
  function rowOf(values: readonly TreeNode[], { from_table: from = {} }: TreeNode): TreeNode | undefined {
    const named = values
      .flatMap(partsOf)
      .map(columnNames)
      .filter((names) => names.length > 0);
    const leaves = leavesOf(from);
    const used = leaves.filter(({ alias, table }) =>
      named.some(([name, column]) => {
        if (column !== undefined) return name === alias;
        const owner = leaves.find((leaf) => tables.get(leaf.table)?.has(name!));
        return owner ? owner.alias === alias : !tables.has(table);
      }),
    );
    // A table that is read alone has each row once.
    if (used.length === 0 || (leaves.length === 1 && tables.has(leaves[0]!.table))) return undefined;
    const [first, ...others] = used.map(({ alias }) => rowNode(alias));
    return others.length === 0 ? first : callNode('row', first!, ...others);
  }
}
