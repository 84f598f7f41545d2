import { cellPattern } from '../column/cell-shape.ts';
import { DATE_FORMATS, type DateFormat } from '../column/date-formats.ts';

/** A date format that reads a part of each cell, and the shapes of what is left unread. */
export interface NearestFormat {
  readonly format: DateFormat;
  readonly before: string;
  readonly behind: string;
}

/** The format that reads most of a cell of this shape (`cellPattern`); undefined when no part of the shape is a date. */
export function nearestFormat(pattern: string): NearestFormat | undefined {
  const shape = pattern.replaceAll(/(.)\{(\d+)\}/gu, (_, character: string, count: string) =>
    character.repeat(Number.parseInt(count, 10)),
  );
  let nearest: NearestFormat | undefined;
  for (const format of DATE_FORMATS) {
    const found = new RegExp(`(?<![9Aa])${shapeOf(format.name)}(?![9Aa])`, 'u').exec(shape);
    if (!found || format.name === 'iso') continue;
    const before = shape.slice(0, found.index);
    const behind = shape.slice(found.index + found[0].length);
    if (!nearest || before.length + behind.length < nearest.before.length + nearest.behind.length)
      nearest = { format, before, behind };
  }
  return nearest;
}

/** The shapes of tokens, as regular expressions over shapes of cells. */
const TOKEN_SHAPES: Readonly<Record<string, string>> = {
  yyyy: '9999',
  yy: '99',
  MMM: '[Aa]{3}',
  MM: '99',
  M: '99?',
  dd: '99',
  d: '99?',
  HH: '99',
  H: '99?',
  hh: '99',
  h: '99?',
  a: '[Aa]{2}',
  mm: '99',
  ss: '99',
  SSS: '999',
  XXX: '(?:A|[+-]99(?::?99)?)',
};

function shapeOf(format: string): string {
  return format.replaceAll(
    /'([^']*)'|([A-Za-z])\2*|([^A-Za-z'])/gu,
    (piece, quoted: string | undefined, letter: string | undefined) =>
      letter === undefined ? literal(cellPattern(quoted ?? piece)!) : TOKEN_SHAPES[piece]!,
  );
}

const literal = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
