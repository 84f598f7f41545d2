import type { LineTally } from './level.ts';

/** Rows whose values are nearly a listed text; `text` is the first of them. */
export type NearTally = LineTally & { leftOut: number; readonly text: string };

/** Different texts of a column that are remembered, so that memory stays bounded. */
const MOST_TEXTS = 1_000;

/** Counts one more row whose value means a listed text. */
export function countNear(
  near: Map<string | null, NearTally>,
  meant: string | null,
  { text, line, isLeftOut }: { readonly text: string; readonly line: number; readonly isLeftOut: boolean },
): void {
  const known = near.get(meant) ?? { count: 0, leftOut: 0, line, text };
  known.count++;
  if (isLeftOut) known.leftOut++;
  near.set(meant, known);
}

/** Finds the listed text that a text of the file differs from only in spelling; undefined when there is none. */
export function nearTexts(listed: ReadonlyMap<string, unknown>): (text: string) => string | undefined {
  // Most files need none of them, and a table may have a million texts.
  let bySpelling: ReadonlyMap<string, string> | undefined;
  const known = new Map<string, string | undefined>();
  return (text) => {
    if (known.has(text)) return known.get(text);
    bySpelling ??= new Map([...listed.keys()].map((each) => [spelling(each), each]));
    const meant = bySpelling.get(spelling(text));
    if (known.size < MOST_TEXTS) known.set(text, meant);
    return meant;
  };
}

/** The text without case, accents and spaces, and without the punctuation that may be around and between words. */
export function spelling(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().trim();
  // Digits with other marks between them are other numbers, and `A-` is another grade than `A`.
  const inner = /\d/.test(plain)
    ? plain.replaceAll(/\s+/gu, ' ')
    : plain.replaceAll(/(?<=\p{L})[\s\p{Pd}_'’]+(?=\p{L})/gu, '');
  return inner.replaceAll(/^["'’“”„([]+(?=[\p{L}\d])|(?<=[\p{L}\d])["'’“”.,;:)\]]+$/gu, '');
}
