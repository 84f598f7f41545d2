import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { readCsv } from '../../../src/cli/csv/read-csv.ts';
import { eachItem, type ReadItem } from '../../../src/cli/csv/source-row.ts';
import { MAX_HEADER_BYTES } from '../../../src/cli/csv/read-csv.ts';
import { MAX_ROW_BYTES } from '../../../src/cli/csv/source-row.ts';
import { MAX_COLUMNS } from '../../../src/cli/csv/row-kinds.ts';
import type { SourceFile } from '../../../src/cli/csv/source-file.ts';
import { failureOf } from '../../support/csv-encodings.ts';
import { readAll } from '../../support/push-rows.ts';

const MEGABYTE = 1024 * 1024;

/** A start and then the same bytes again and again, and how many of them were read. */
function endless(start: string, piece: string, megabytes: number) {
  const taken = { megabytes: 0 };
  const bytes = Buffer.from(piece.repeat(MEGABYTE / piece.length));
  const file: SourceFile = {
    name: 'endless.csv',
    fingerprint: { bytes: 0, sha256: '' },
    bytes: () =>
      Readable.from(
        (function* () {
          yield Buffer.from(start);
          for (; taken.megabytes < megabytes; taken.megabytes++) yield bytes;
        })(),
      ),
    share: () => 0,
    close: async () => undefined,
  };
  return { file, taken };
}

async function itemsIn(file: SourceFile): Promise<readonly ReadItem[]> {
  const items: ReadItem[] = [];
  for await (const item of eachItem(readCsv(file))) items.push(item);
  return items;
}

describe('a row that is too large is refused before it is in memory', () => {
  test.each([
    ['[C045] one cell that never ends', 'a,b\n1,2\n3,', 'x'],
    ['[C015] doubled quotes behind a quote that is never closed', 'a,b\n1,2\n3,"', '""'],
  ])('%s', async (_, start, piece) => {
    const { file, taken } = endless(start, piece, 600);
    const items = await itemsIn(file);
    expect(items.map(({ kind }) => kind)).toEqual(['header', 'row', 'unreadable']);
    expect(failureOf(items.at(-1))).toMatchObject({
      line: 3,
      code: 'record_too_large',
      limit: MAX_ROW_BYTES,
    });
    expect(taken.megabytes).toBeLessThanOrEqual(MAX_ROW_BYTES / MEGABYTE + 2);
  });

  test.each([
    ['[C020] a header of one name', 'x'],
    ['[C020] a header of delimiters', ','],
    ['a header in quotes', '"x",'],
  ])('%s', async (_, piece) => {
    const { file, taken } = endless('\n\n', piece, 600);
    const items = await itemsIn(file);
    expect(failureOf(items.at(-1))).toMatchObject({
      line: 3,
      code: 'record_too_large',
      limit: MAX_HEADER_BYTES,
    });
    expect(taken.megabytes).toBeLessThanOrEqual(MAX_HEADER_BYTES / MEGABYTE + 2);
  });
});

test('[C044] a row of the largest size is read, and so is a cell of 10 MB', async () => {
  const cell = 'x'.repeat(MAX_ROW_BYTES - 10);
  const { rows, end } = await readAll(`a\n"${cell}"\n`);
  expect(end).toBeUndefined();
  expect(rows[0]!.cells[0]!.length).toBe(cell.length);
});

test('[C046] a header of more columns than a file can have is refused', async () => {
  const header = (columns: number): string => Array.from({ length: columns }, (_, at) => `c${at}`).join();
  expect((await readAll(`${header(MAX_COLUMNS)}\n`)).header!.names).toHaveLength(MAX_COLUMNS);
  expect(failureOf((await readAll(`${header(10_000)}\n`)).end)).toEqual({
    line: 1,
    code: 'too_many_columns',
    columns: 10_000,
    limit: MAX_COLUMNS,
  });
});
