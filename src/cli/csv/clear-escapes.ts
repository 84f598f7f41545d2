import type { SourceFormat } from './source-format.ts';

/**
 * Whether every escape of a record, given as it is in the file, is in quotes and before a quote, an escape, a delimiter or a
 * line break. Programs disagree about any other escape: some keep it, some drop it, some read `\t` as a tab, and outside
 * quotes some take the delimiter behind it for text.
 */
export function hasClearEscapes(raw: string, { quote, escape, delimiter }: SourceFormat): boolean {
  const escapable = [quote, escape, delimiter, '\r', '\n'];
  let quoted = false;
  for (let at = 0; at < raw.length; at++) {
    const character = raw[at];
    if (character === escape) {
      if (!quoted) return false;
      at++;
      if (!escapable.includes(raw[at]!)) return false;
    } else if (character === quote) quoted = !quoted;
  }
  return true;
}
