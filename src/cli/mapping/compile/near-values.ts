import { visitFields } from '../language/field-visits.ts';
import { isLookupFile } from '../language/lookup.ts';
import type { MappingDocument } from '../language/mapping.ts';
import type { LineTally } from './level.ts';

/** Rows whose values are nearly a listed text; `text` is the first of them. */
export type NearTally = LineTally & { leftOut: number; readonly text: string };

type SeenText = { readonly text: string; readonly line: number; readonly isLeftOut: boolean };

/** Counts one more row whose value means a listed text. */
export function countNear(
  near: Map<string, NearTally>,
  meant: string,
  { text, line, isLeftOut }: SeenText,
): void {
  const known = near.get(meant) ?? { count: 0, leftOut: 0, line, text };
  known.count++;
  if (isLeftOut) known.leftOut++;
  near.set(meant, known);
}

/** How a text differs from another one with the same spelling. */
export const SPELLING = 'case, accents, spaces or punctuation';

/** The text without case, accents and spaces, and without the punctuation that may be around and between words. */
export function spelling(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().trim();
  // Digits with other marks between them are other numbers, and `A-` is another grade than `A`.
  const inner = /\d/.test(plain)
    ? plain.replaceAll(/\s+/gu, ' ')
    : plain.replaceAll(/(?<=\p{L})[\s\p{Pd}_'’]+(?=\p{L})/gu, '');
  return inner.replaceAll(/^["'’“”„([]+(?=[\p{L}\d])|(?<=[\p{L}\d])["'’“”.,;:)\]]+$/gu, '');
}

/** Fewer rows than this have no rare texts. A rare text is in at most so many rows, and so large a share of them. */
const LEAST = 20;
const FEW = 5;
const FEW_SHARE = 0.01;

/** Different texts of a column that are counted. A column with more has no list of texts. */
const MOST_TEXTS = 1_000;

/** Shorter words are often one letter apart. */
const LEAST_LETTERS = 4;

/** The texts of a column that no condition lists. `allowed`: texts that another part of the mapping names for the column. */
export function unlistedTexts(allowed: ReadonlySet<string>) {
  const texts = new Map<string, NearTally>();
  return {
    see(seen: SeenText) {
      if (texts.size <= MOST_TEXTS) countNear(texts, seen.text, seen);
    },
    /** Rare texts that one typing error makes of a listed text that is not rare, each with the listed text. */
    mistyped(listed: ReadonlyMap<string, { count: number }>, rows: number) {
      if (rows < LEAST || texts.size > MOST_TEXTS) return [];
      const few = Math.max(1, Math.min(FEW, Math.floor(rows * FEW_SHARE)));
      const usual = [...listed].filter(([, { count }]) => count > few).map(([text]) => text);
      return [...texts].flatMap(([text, tally]) => {
        if (tally.count > few || allowed.has(text)) return [];
        const meant = usual.find((each) => isMistyped(spelling(text), spelling(each)));
        return meant === undefined ? [] : [[meant, tally] as const];
      });
    },
  };
}

/** The texts of a column that the tables of fields have. */
export function allowedTexts(document: MappingDocument, header: string): ReadonlySet<string> {
  const inTables = [...visitFields(document)].flatMap(({ spec: { column, lookup } }) =>
    column !== header || lookup === undefined || isLookupFile(lookup) ? [] : Object.keys(lookup),
  );
  return new Set(inTables);
}

/** Whether one letter is missing, too many, wrong, or in the place of its neighbour. */
function isMistyped(text: string, meant: string): boolean {
  const digits = (each: string): string => each.replaceAll(/\D/gu, '');
  const letters = meant.match(/\p{L}/gu)?.length ?? 0;
  if (letters < LEAST_LETTERS || text.length < LEAST_LETTERS || digits(text) !== digits(meant)) return false;
  const shorter = Math.min(text.length, meant.length);
  let start = 0;
  while (start < shorter && text[start] === meant[start]) start++;
  let end = 0;
  while (end < shorter - start && text.at(-1 - end) === meant.at(-1 - end)) end++;
  const [one, other] = [text.slice(start, text.length - end), meant.slice(start, meant.length - end)];
  if (Math.max(one.length, other.length) === 1) return true;
  return one.length === 2 && other.length === 2 && one[0] === other[1] && one[1] === other[0];
}
