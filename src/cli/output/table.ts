import Table from 'cli-table3';

/** A table for a terminal. The caller escapes the cells. */
export function tableText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const table = new Table({ head: [...head], style: { head: [], border: [], compact: true } });
  table.push(...rows.map((row) => [...row]));
  return `${table.toString()}\n`;
}

/** Columns without lines, indented, for results that are read and pasted. The caller escapes the cells. */
export function columnsText(
  rows: readonly (readonly string[])[],
  aligns: readonly ('left' | 'right')[],
): string {
  const table = new Table({
    chars: NO_LINES,
    colAligns: [...aligns],
    style: { head: [], border: [], 'padding-left': 2, 'padding-right': 0 },
  });
  table.push(...rows.map((row) => [...row]));
  const text = table.toString().replaceAll(/ +$/gm, '');
  return `${text}\n`;
}

const PARTS = [
  'top',
  'top-mid',
  'top-left',
  'top-right',
  'bottom',
  'bottom-mid',
  'bottom-left',
  'bottom-right',
];
const INNER = ['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'];
const NO_LINES = Object.fromEntries([...PARTS, ...INNER].map((part) => [part, '']));
