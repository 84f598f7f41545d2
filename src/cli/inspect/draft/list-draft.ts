import { DESCRIPTORS, type Resource } from '../../../core/contract/resources.ts';
import { fieldOfName, recordShape } from '../../mapping/language/fields.ts';
import type { ColumnProfile } from '../column/column-profile.ts';
import type { LayoutFinding } from '../layout/layout-finding.ts';
import { comment, flowYaml, proposal, shownName } from './draft-text.ts';
import { normalName } from './header-terms.ts';

/** The lines of lists whose columns have the numbered names of the interface (`line_items.0.net_amount`). */
export function listLines(
  resource: Resource,
  columns: readonly ColumnProfile[],
  rows: number,
): {
  lines: readonly string[];
  /** List fields that are decided. */
  fields: readonly string[];
  /** Columns that feed these fields. */
  columns: readonly ColumnProfile[];
} {
  const own = new Map<string, { numbers: Set<number>; parts: Set<string>; columns: ColumnProfile[] }>();
  for (const column of columns) {
    const [, list, number, part] = /^(\w+)\.(\d{1,3})\.(\w+)$/.exec(column.name ?? '') ?? [];
    if (list === undefined || fieldOfName(resource, column.name!) === undefined) continue;
    const group = own.get(list) ?? { numbers: new Set(), parts: new Set(), columns: [] };
    group.numbers.add(Number.parseInt(number!, 10));
    group.parts.add(part!);
    group.columns.push(column);
    own.set(list, group);
  }
  // A repeat needs every part under every number.
  const complete = [...own].filter(
    ([, { numbers, parts, columns: found }]) => found.length === numbers.size * parts.size,
  );
  const lines = complete.flatMap(([list, { numbers, parts }]) => {
    const item = Object.fromEntries([...parts].map((part) => [part, `${list}.{n}.${part}`]));
    const repeat = { from: Math.min(...numbers), to: Math.max(...numbers) };
    return [
      ...comment(
        `${numbers.size} items of ${parts.size} columns each; the headers are those of the interface, over ${rows} rows.`,
        '  ',
      ),
      `  ${list}: ${flowYaml({ repeat, item })}`,
    ];
  });
  const used = complete.flatMap(([, group]) => group.columns);
  return { lines, fields: complete.map(([list]) => list), columns: used };
}

/** A proposal for each list of objects of JSON Lines, with the fields whose names are keys of the objects. */
export function objectLines(resource: Resource, { lists }: LayoutFinding): readonly string[] {
  const { list } = DESCRIPTORS[resource].items ?? { list: null };
  const shape = list === null ? undefined : recordShape(resource).fields[list];
  if (list === null || shape?.kind !== 'list' || shape.item.kind !== 'object') return [];
  const fields = Object.keys(shape.item.fields);
  return lists.flatMap(({ name, keys }) => {
    const item = Object.fromEntries(
      keys.map((key, at) => [
        fields.find((field) => normalName(field) === normalName(key)) ?? `FIELD_${at + 1}`,
        key,
      ]),
    );
    return [
      ...comment(`${shownName(name)} is a list of objects. It may become items in this way:`, '  '),
      ...proposal([`${list}: ${flowYaml({ each: { column: name, item } })}`], '  '),
    ];
  });
}
