import type { ReadItem } from './source-row.ts';

/**
 * The items of a part of a file, in a form that costs little to pass from thread to thread: copying the rows as lists of texts
 * takes twice the time.
 */
export interface PackedItems {
  /** The texts of the plain rows in UTF-8. */
  readonly texts: Uint8Array<ArrayBuffer>;
  /** For each plain row its lines, its bytes in the file and in `texts`, and the number of its cells. */
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

export function packed(items: readonly ReadItem[], isLast: boolean): PackedItems {
  const [texts, rows, lengths]: [string[], number[], number[]] = [[], [], []];
  const others: [number, ReadItem][] = [];
  let size = 0;
  for (const [index, item] of items.entries()) {
    if (item.kind !== 'row' || !(item.row.endsAtEof === undefined && item.row.filledGaps === undefined)) {
      others.push([index, item]);
      continue;
    }
    const { firstLine, lastLine, byteStart, byteEnd, cells } = item.row;
    const text = cells.join('');
    const length = Buffer.byteLength(text);
    size += length;
    texts.push(text);
    rows.push(firstLine, lastLine, byteStart, byteEnd, length, cells.length);
    for (const cell of cells) lengths.push(cell.length);
  }
  // In memory of its own, because buffers of Node share theirs.
  const bytes = Buffer.allocUnsafeSlow(size);
  bytes.write(texts.join(''));
  return {
    texts: bytes,
    rows: Float64Array.from(rows),
    lengths: Uint32Array.from(lengths),
    others,
    isLast,
  };
}

/** The memory of packed items that another thread can take over without a copy. */
export function memoryOf({ texts, rows, lengths }: PackedItems): readonly ArrayBuffer[] {
  return [texts, rows, lengths].map(({ buffer }) => buffer);
}

export function unpacked({ texts, rows, lengths, others }: PackedItems): readonly ReadItem[] {
  const items: ReadItem[] = [];
  // Another thread gets the bytes of a buffer as a plain array.
  const bytes = Buffer.from(texts.buffer, texts.byteOffset, texts.length);
  let [cell, at, other] = [0, 0, 0];
  const takeOthers = (): void => {
    while (others[other]?.[0] === items.length) items.push(others[other++]![1]);
  };
  for (let row = 0; row < rows.length; row += NUMBERS) {
    takeOthers();
    // Each row has a text of its own: a cell that is kept keeps the text alive that it was cut from.
    const text = bytes.toString('utf8', at, (at += rows[row + 4]!));
    const cells: string[] = [];
    for (let from = 0, end = cell + rows[row + 5]!; cell < end; cell++)
      cells.push(text.slice(from, (from += lengths[cell]!)));
    const [firstLine, lastLine] = [rows[row]!, rows[row + 1]!];
    const [byteStart, byteEnd] = [rows[row + 2]!, rows[row + 3]!];
    items.push({ kind: 'row', row: { firstLine, lastLine, byteStart, byteEnd, cells } });
  }
  takeOthers();
  return items;
}
