import { isLeaf, visitFields } from '../language/field-visits.ts';
import type { MappingDocument } from '../language/mapping.ts';
import { numberReader } from '../language/number-format.ts';
import { stepSpecOf } from '../language/source.ts';
import type { UnusedColumn } from '../mapping-plan.ts';
import { elementHeader, type Columns } from './columns.ts';

/** The columns that nothing in a mapping uses: those of the file, those of lists in it, and places that `source.fixed` skips. */
export function unusedColumns(
  document: MappingDocument,
  { names, isUsed }: Columns,
  joined: readonly Columns[],
): readonly UnusedColumn[] {
  const { source = {}, ignore = [] } = document;
  const amount = [...visitFields(document)].find(
    (visit) => isLeaf(visit) && visit.shape.facts.kind === 'decimal',
  );
  const readNumber = numberReader(stepSpecOf(amount?.source ?? source, { ...amount?.spec }));
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
