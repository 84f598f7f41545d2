import type { ReadItem } from './source-row.ts';

/**
 * The items of a part of a file, in a form that costs little to pass from thread to thread: copying the rows as lists of texts
 * takes twice the time.
 */
export interface PackedItems {
  /** The texts of the plain rows: in Latin-1 where their characters allow it, and in UTF-16. */
  readonly narrow: Uint8Array<ArrayBuffer>;
  readonly wide: Uint8Array<ArrayBuffer>;
  /** For each plain row its lines, its bytes, the number of its cells, and 1 when it is in `wide`. */
  readonly rows: Float64Array<ArrayBuffer>;
  /** The lengths of all cells. */
  readonly lengths: Uint32Array<ArrayBuffer>;
  /** The other items, with their indexes among all items. */
  readonly others: readonly (readonly [index: number, item: ReadItem])[];
  /** Whether nothing comes behind these items. */
  readonly isLast: boolean;
}

/** Numbers of a plain row. */
const NUMBERS = 6;

/** A character that Latin-1 does not have. */
const IS_WIDE = /[^\u0000-\u00FF]/u; // oxlint-disable-line no-control-regex -- Latin-1 has the control characters, too

export function packed(items: readonly ReadItem[], isLast: boolean): PackedItems {
  const [narrow, wide, rows, lengths]: [string[], string[], number[], number[]] = [[], [], [], []];
  const others: [number, ReadItem][] = [];
  for (const [index, item] of items.entries()) {
    if (item.kind !== 'row' || !(item.row.endsAtEof === undefined && item.row.filledGaps === undefined)) {
      others.push([index, item]);
      continue;
    }
    const { firstLine, lastLine, byteStart, byteEnd, cells } = item.row;
    const text = cells.join('');
    const isWide = IS_WIDE.test(text);
    (isWide ? wide : narrow).push(text);
    rows.push(firstLine, lastLine, byteStart, byteEnd, cells.length, isWide ? 1 : 0);
    for (const cell of cells) lengths.push(cell.length);
  }
  return {
    narrow: bytesOf(narrow.join(''), 'latin1'),
    wide: bytesOf(wide.join(''), 'utf16le'),
    rows: Float64Array.from(rows),
    lengths: Uint32Array.from(lengths),
    others,
    isLast,
  };
}

/** The memory of packed items that another thread can take over without a copy. */
export function memoryOf({ narrow, wide, rows, lengths }: PackedItems): readonly ArrayBuffer[] {
  return [narrow, wide, rows, lengths].map(({ buffer }) => buffer);
}

/** In memory of their own, because buffers of Node share theirs. */
function bytesOf(text: string, encoding: 'latin1' | 'utf16le'): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text, encoding));
  bytes.write(text, encoding);
  return bytes;
}

export function unpacked({ narrow, wide, rows, lengths, others }: PackedItems): readonly ReadItem[] {
  const items: ReadItem[] = [];
  const [narrowText, wideText] = [bufferOf(narrow), bufferOf(wide)];
  let [cell, narrowAt, wideAt, other] = [0, 0, 0, 0];
  const takeOthers = (): void => {
    while (others[other]?.[0] === items.length) items.push(others[other++]![1]);
  };
  for (let at = 0; at < rows.length; at += NUMBERS) {
    takeOthers();
    const end = cell + rows[at + 4]!;
    let length = 0;
    for (let each = cell; each < end; each++) length += lengths[each]!;
    // Each row has a text of its own: a cell that is kept keeps the text alive that it was cut from.
    const text =
      rows[at + 5] === 1
        ? wideText.toString('utf16le', wideAt, (wideAt += 2 * length))
        : narrowText.toString('latin1', narrowAt, (narrowAt += length));
    const cells: string[] = [];
    for (let from = 0; cell < end; cell++) cells.push(text.slice(from, (from += lengths[cell]!)));
    const [firstLine, lastLine, byteStart, byteEnd] = [
      rows[at]!,
      rows[at + 1]!,
      rows[at + 2]!,
      rows[at + 3]!,
    ];
    items.push({ kind: 'row', row: { firstLine, lastLine, byteStart, byteEnd, cells } });
  }
  takeOthers();
  return items;
}

/** Another thread gets the bytes of a buffer as a plain array. */
function bufferOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}
