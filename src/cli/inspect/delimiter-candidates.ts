import type { TextLine } from './text-lines.ts';

/** Characters that are tried on every file; of equals the first is believed. */
export const USUAL_DELIMITERS = [',', ';', '\t', '|'];
// What stands in dates, numbers, names and quotes is left out: points, minus signs, apostrophes, brackets, underscores.
const UNUSUAL = '~^:#!*&%@$=+/\\<>?`'.split('');
/** Lines that are looked at. */
const LINES = 200;

/** The delimiters to try: the usual ones, and others that occur equally often on most of the first lines. */
export function delimiterCandidates(head: readonly TextLine[]): readonly string[] {
  const texts = head
    .slice(0, LINES)
    .map(({ text }) => text)
    .filter((text) => text !== '');
  return [...USUAL_DELIMITERS, ...UNUSUAL.filter((character) => isRegular(character, texts))];
}

function isRegular(character: string, texts: readonly string[]): boolean {
  const lines = new Map<number, number>();
  for (const text of texts) {
    const times = text.split(character).length - 1;
    if (times > 0) lines.set(times, (lines.get(times) ?? 0) + 1);
  }
  return Math.max(0, ...lines.values()) * 3 > texts.length * 2;
}
