import type { SourceFormat } from './source-format.ts';

/**
 * Whether in quoted cells of a record, given as it stands in the file, every escape stands before a quote, an escape, a
 * delimiter or a line break. Before anything else programs disagree: some keep it, some drop it, some read `\t` as a tab.
 */
export function hasClearEscapes(raw: string, { quote, escape, delimiter }: SourceFormat): boolean {
  const escapable = [quote, escape, delimiter, '\r', '\n'];
  let quoted = false;
  for (let at = 0; at < raw.length; at++) {
    const character = raw[at];
    if (quoted && character === escape) {
      at++;
      if (!escapable.includes(raw[at]!)) return false;
    } else if (character === quote) quoted = !quoted;
  }
  return true;
}
