import { warning } from '../../../core/problem.ts';
import { NO_CELL } from '../column-map.ts';
import { conditionLists } from '../language/field-visits.ts';
import type { Mapping } from '../language/mapping.ts';
import type { TextPosition } from '../../../core/yaml/yaml-text.ts';
import { countIn } from '../../../core/values/counts.ts';
import { readColumn, type Level, type LineTally } from './level.ts';
import type { RowOddities } from './oddities.ts';

/** Different texts of a column that are compared, so that memory stays bounded. */
const MOST_TEXTS = 1_000;

/** The texts that the conditions of a mapping list for a column, each with its first place. */
type ListedTexts = ReadonlyMap<string, TextPosition>;

/** Cells that a condition means and does not hold for, because it lists their text in another spelling. */
export function nearListed(
  mapping: Mapping,
  level: Pick<Level, 'columns' | 'source' | 'use'>,
  showValues: boolean,
): RowOddities {
  const compared = [...listedTexts(mapping)].flatMap(([name, listed]) => {
    if (!level.columns.names.includes(name)) return [];
    const near = new Map<string, LineTally & { text?: string }>();
    const meant = new Map([...listed.keys()].map((each) => [spelling(each), each]));
    return [
      { ...readColumn(level, name), listed, meant, near, known: new Map<string, string | undefined>() },
    ];
  });
  return {
    see(rows) {
      for (const { read, listed, meant, near, known } of compared)
        for (const { cells, firstLine } of rows) {
          const text = read(cells);
          if (text === undefined || listed.has(text)) continue;
          if (!known.has(text) && known.size < MOST_TEXTS) known.set(text, meant.get(spelling(text)));
          const means = known.get(text);
          if (means === undefined) continue;
          countIn(near, means, firstLine);
          near.get(means)!.text ??= text!;
        }
    },
    *warnings() {
      for (const { column, listed, near } of compared)
        for (const [meant, { count, first, text }] of near) {
          const place = listed.get(meant)!;
          const listedAt = `${place.file}:${place.line}:${place.column}`;
          const values = showValues ? `: \`${text}\` for \`${meant}\`` : '';
          const what = `values that differ only in case, accents, spaces or punctuation from a text that a condition lists, so that it does not hold (${listedAt}): ${count}${values}`;
          const todo =
            'List the other spelling in the condition, too, or ask the supplier to correct it. --show-values shows it.';
          yield {
            problem: warning('lookup_missing', [], { what, todo }),
            cell: { ...NO_CELL, line: first, column: column.index + 1, header: column.header },
          };
        }
    },
  };
}

/** By the names of columns. Conditions on a second file, or on objects of a list, are about other columns of such names. */
function listedTexts({ document, positionOf }: Mapping): ReadonlyMap<string, ListedTexts> {
  const columns = new Map<string, Map<string, TextPosition>>();
  for (const { list, path } of conditionLists(document)) {
    if (path.includes('join') || path.includes('each')) continue;
    for (const [at, { column, in: wanted, not_in: unwanted }] of list.entries())
      for (const [index, text] of (wanted ?? unwanted ?? []).entries()) {
        if (column === undefined) continue;
        const listed = columns.get(column) ?? new Map<string, TextPosition>();
        columns.set(column, listed);
        if (!listed.has(text)) listed.set(text, positionOf([...path, at, wanted ? 'in' : 'not_in', index]));
      }
  }
  return columns;
}

/** The text without case, accents and spaces, and without the punctuation that may be around and between words. */
function spelling(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().trim();
  // Digits with other marks between them are other numbers, and `A-` is another grade than `A`.
  const inner = /\d/.test(plain)
    ? plain.replaceAll(/\s+/gu, ' ')
    : plain.replaceAll(/(?<=\p{L})[\s\p{Pd}_'’]+(?=\p{L})/gu, '');
  return inner.replaceAll(/^["'’“”„([]+(?=[\p{L}\d])|(?<=[\p{L}\d])["'’“”.,;:)\]]+$/gu, '');
}
