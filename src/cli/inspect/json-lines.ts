import { keyedCells } from '../csv/key-paths.ts';
import { hasJsonLinesName, readJsonLines } from '../csv/read-json-lines.ts';
import type { SourceFile } from '../csv/source-file.ts';
import { eachItem, type ElementPaths } from '../csv/source-row.ts';
import type { FileProfile, LayoutFinding } from './inspection.ts';
import { TableCounter } from './table/table-profile.ts';
import type { TextLine } from './bytes/text-lines.ts';

/** Lines that have to be objects before a file is taken for JSON Lines. */
const TELLING = 20;

/** Whether a file has JSON Lines: by its name, or because each of its first lines is one object. */
export function looksLikeJsonLines(file: SourceFile, head: readonly TextLine[]): boolean {
  const lines = head.filter(({ text }) => text.trim() !== '').slice(0, TELLING);
  const isObject = ({ text }: TextLine): boolean => typeof keyedCells(text) !== 'string';
  const [first] = lines;
  if (!first || !isObject(first)) return false;
  return hasJsonLinesName(file.name) || lines.every(isObject);
}

export async function jsonLinesTable(
  file: SourceFile,
  showValues: boolean,
): Promise<Pick<FileProfile, 'layout' | 'table' | 'columns'>> {
  let layout = layoutOf([], new Map());
  let table = new TableCounter(layout);
  for await (const item of eachItem(readJsonLines(file))) {
    if (item.kind === 'header') {
      layout = layoutOf(item.names, item.elements!);
      table = new TableCounter(layout);
    } else if (item.kind === 'row') table.acceptKeyed(item.row.firstLine, item.row.cells);
    else if (item.kind === 'broken') table.acceptKeyed(item.row.firstLine, null);
    else if (item.kind === 'unreadable') table.acceptKeyed(item.line, null);
  }
  return { layout, ...table.result(showValues) };
}

function layoutOf(names: readonly string[], elements: ElementPaths): LayoutFinding {
  return {
    delimiter: null,
    certainty: 'proven',
    because: 'each line is one object of JSON',
    quote: null,
    escape: null,
    candidates: [],
    width: names.length,
    header: { line: 1, names, looksLikeHeader: true },
    hasSeparatorLine: false,
    isJsonLines: true,
    lists: [...elements]
      .filter(([, keys]) => keys.size > 0)
      .map(([name, keys]) => ({ name, keys: [...keys] })),
    fixed: null,
    ruled: null,
  };
}
