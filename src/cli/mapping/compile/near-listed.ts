import { warning } from '../../../core/problem.ts';
import { conditionsOf, isElsewhere, rowConditions, visitFields } from '../language/field-visits.ts';
import type { Mapping } from '../language/mapping.ts';
import { countIn } from '../../../core/values/counts.ts';
import { readColumn, type Level, type LineTally } from './level.ts';
import type { RowOddities } from './oddities.ts';

/** So many different texts of a column are compared at most, so that memory stays bounded. */
const MOST_TEXTS = 1_000;

/** Cells that a condition means and does not hold for, because it lists their text in another spelling. */
export function nearListed(mapping: Mapping, level: Pick<Level, 'columns' | 'source' | 'use'>): RowOddities {
  const compared = [...listedTexts(mapping)].flatMap(([name, listed]) => {
    if (!level.columns.names.includes(name)) return [];
    const meant = new Map([...listed].map((each) => [spelling(each), each]));
    const [near, known] = [new Map<string, LineTally>(), new Map<string, string | undefined>()];
    return [{ ...readColumn(level, name), listed, meant, near, known }];
  });
  return {
    see(rows) {
      for (const { read, listed, meant, near, known } of compared)
        for (const { cells, firstLine } of rows) {
          const text = read(cells);
          if (text === undefined || listed.has(text)) continue;
          if (!known.has(text) && known.size < MOST_TEXTS) known.set(text, meant.get(spelling(text)));
          const means = known.get(text);
          if (means !== undefined) countIn(near, means, firstLine);
        }
    },
    *warnings() {
      for (const { column, near } of compared)
        for (const [means, { count, first: line }] of near) {
          const what = `values that differ only in case, accents, spaces or punctuation from \`${means}\`, which a condition lists, so that it does not hold: ${count}`;
          const todo = 'List the other spelling in the condition, too, or ask the supplier to correct it.';
          yield { problem: warning('lookup_missing', [], { what, todo }), cell: { ...column.cell, line } };
        }
    },
  };
}

/** By the names of columns. Conditions on a second file, or on objects of a list, are about other columns of such names. */
function listedTexts({ document }: Mapping): ReadonlyMap<string, ReadonlySet<string>> {
  const conditions = [
    ...[...visitFields(document)].flatMap(conditionsOf),
    ...rowConditions(document),
  ].flatMap(({ condition, path }) => (isElsewhere(path) ? [] : condition));
  const columns = Map.groupBy(conditions, ({ column = '' }) => column);
  const textsOf = (all: typeof conditions) => new Set(all.flatMap((each) => each.in ?? each.not_in ?? []));
  return new Map(columns.entries().map(([column, all]) => [column, textsOf(all)]));
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
