import { DESCRIPTORS, type Resource } from '../../../core/contract/resources.ts';
import type { SourceRow } from '../../csv/source-row.ts';
import { isLeaf, visitFields } from '../language/field-visits.ts';
import type { MappingDocument } from '../language/mapping.ts';
import type { NumberFormat } from '../language/number-format.ts';
import { stepSpecOf, type SourceSpec } from '../language/source.ts';
import type { UnusedCells } from '../mapping-plan.ts';
import { elementHeader, type Columns } from './columns.ts';

/** How the numbers of a file are written: as the first decimal field of its mapping is. */
export function numbersOf(document: MappingDocument): NumberFormat {
  const first = [...visitFields(document)].find(
    (visit) => isLeaf(visit) && visit.shape.facts.kind === 'decimal',
  );
  return stepSpecOf(first?.source ?? document.source, { ...first?.spec });
}

/** The columns that feed no field, and have a value in some row. */
export function unusedCells(
  { resource, ignore = [] }: MappingDocument,
  all: readonly Columns[],
): readonly UnusedCells[] {
  const isMoney = moneyHeaders(resource);
  // Several fields may read the same list or file, each with columns of its own.
  const isUsed = ({ file, list }: Columns, name: string): boolean =>
    all.some((each) => each.file === file && each.list === list && each.isUsed(each.names.indexOf(name)));
  return all.flatMap((columns) => {
    const { file, list, names, unused } = columns;
    return [...unused.columns].flatMap(([at, column]): readonly UnusedCells[] => {
      const name = names[at]!;
      if (column.filled === 0 || isUsed(columns, name)) return [];
      const header = list === null ? name : elementHeader(list, name);
      const { filled, total: sum, values, examples } = column;
      const kind = column.kind(name, { rows: unused.rows, isMoney: isMoney(name) });
      // Nobody who writes `all` has seen each column.
      const isAcknowledged = ignore === 'all' ? kind === 'texts' : ignore.includes(header);
      return [{ file, header, kind, filled, sum, values, examples, isAcknowledged }];
    });
  });
}

/** Whether the header of a column says that it has money, as suppliers write it. */
function moneyHeaders(resource: Resource): (header: string) => boolean {
  const { amount, headerTerms } = DESCRIPTORS[resource];
  const all: Readonly<Record<string, string | undefined>> = headerTerms;
  const terms = new Set(
    [amount?.field ?? '', 'debit', 'credit'].flatMap((field) => all[field]?.split(', ') ?? []),
  );
  return (header) => {
    const text = header.toLowerCase();
    return terms.has(text) || text.split(/[^\p{L}]+/u).some((word) => terms.has(word));
  };
}

/** Characters of rows that `source.fixed` skips. They may be a part of the value beside them. */
export function fixedGaps({ fixed = [] }: SourceSpec): {
  see(row: SourceRow): void;
  unused(): readonly UnusedCells[];
} {
  const found = new Map<number, number>();
  return {
    see({ filledGaps = [] }) {
      for (const place of filledGaps) found.set(place, (found.get(place) ?? 0) + 1);
    },
    unused: () =>
      [...found].map(([place, filled]) => {
        const from = fixed.slice(0, place).reduce((sum, { width, skip }) => sum + (width ?? skip!), 1);
        const header = `places ${from} to ${from + fixed[place]!.skip! - 1}`;
        const kind = 'skipped';
        return {
          file: null,
          header,
          kind,
          filled,
          sum: null,
          values: null,
          examples: [],
          isAcknowledged: false,
        };
      }),
  };
}
