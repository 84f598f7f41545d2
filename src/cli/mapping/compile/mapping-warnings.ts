import { warning, type Path } from '../../../core/problem.ts';
import { conditionLists, visitFields } from '../language/field-visits.ts';
import { isLookupFile } from '../language/lookup.ts';
import type { Mapping } from '../language/mapping.ts';
import { NO_CELL } from '../column-map.ts';
import type { CellProblem } from '../mapping-plan.ts';
import { mixedDateOrders } from './date-orders.ts';
import { nearTexts } from './listed-values.ts';
import { unevenAlternatives } from './uneven-alternatives.ts';

/** Oddities of a mapping that do not depend on the file. */
export function* mappingWarnings(mapping: Mapping): Generator<CellProblem> {
  for (const { problem, ...place } of mapping.warnings) yield { problem, cell: { ...place, column: null } };
  yield* unevenAlternatives(mapping);
  yield* mixedDateOrders(mapping);
  yield* alikeTexts(mapping);
}

/** The texts that one condition or table lists for a column. */
type ListedTexts = { readonly column: string; readonly texts: readonly string[]; readonly path: Path };

/** Texts of one column that two places of a mapping spell in two ways. A place that lists both does so on purpose. */
function* alikeTexts(mapping: Mapping): Generator<CellProblem> {
  for (const lists of Map.groupBy(listedTexts(mapping), ({ column }) => column).values()) {
    const known = new Map<string, ListedTexts>();
    const both = new Set(
      lists.flatMap(({ texts }) =>
        texts.filter((text, at) => nearTexts(new Map(texts.toSpliced(at, 1).map((each) => [each, 0])))(text)),
      ),
    );
    for (const list of lists) {
      const nearTo = nearTexts(known);
      for (const text of list.texts) {
        const other = known.has(text) || both.has(text) ? undefined : nearTo(text);
        if (other === undefined || other === text || both.has(other)) continue;
        const at = mapping.positionOf(list.path);
        const place = mapping.positionOf(known.get(other)!.path);
        const facts = {
          text,
          other,
          column: list.column,
          place: `${place.file}:${place.line}:${place.column}`,
        };
        yield {
          problem: warning('listed_texts_alike', list.path, facts),
          cell: { ...NO_CELL, file: at.file, line: at.line, column: at.column, header: list.column },
        };
      }
      for (const text of list.texts) known.set(text, list);
    }
  }
}

/** Columns of second files and of the objects of lists have the names of other columns, so their lists are left out. */
function listedTexts({ document }: Mapping): readonly ListedTexts[] {
  const isInside = (path: Path): boolean => path.includes('join') || path.includes('each');
  const conditions = conditionLists(document).flatMap(({ list, path }) =>
    list.flatMap(({ column, in: wanted, not_in: unwanted }, at) => {
      const texts = wanted ?? unwanted;
      if (column === undefined || texts === undefined || isInside(path)) return [];
      return [{ column, texts, path: [...path, at, wanted ? 'in' : 'not_in'] }];
    }),
  );
  const tables = [...visitFields(document)].flatMap(({ spec: { column, lookup }, path }) =>
    column === undefined || lookup === undefined || isLookupFile(lookup) || isInside(path)
      ? []
      : [{ column, texts: Object.keys(lookup), path: [...path, 'lookup'] }],
  );
  return [...tables, ...conditions];
}
