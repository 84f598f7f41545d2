const CANDIDATES: readonly (readonly [string, string])[] = [
  [';', '";"'],
  ['\t', String.raw`"\t"`],
  ['|', '"|"'],
  [',', '","'],
];

/**
 * What the delimiter may be when the whole header came out as one cell, as it is written in a mapping: the one that
 * occurs most often, or those that occur equally often, as `";" or "|"`.
 */
export function delimiterHint(names: readonly string[]): string | undefined {
  const [only, ...others] = names;
  if (only === undefined || others.length > 0) return undefined;
  const counts = CANDIDATES.map(([character]) => only.split(character).length - 1);
  const most = Math.max(...counts);
  if (most === 0) return undefined;
  return CANDIDATES.filter((_, index) => counts[index] === most)
    .map(([, written]) => written)
    .join(' or ');
}
