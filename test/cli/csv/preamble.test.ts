import { describe, expect, test } from 'vitest';
import { readCsv } from '../../../src/cli/csv/read-csv.ts';
import { eachItem } from '../../../src/cli/csv/source-row.ts';
import { RFC_4180, type SourceFormat } from '../../../src/cli/csv/source-format.ts';
import type { SourceFile } from '../../../src/cli/csv/source-file.ts';

/** Reads a text that comes in parts of a length, as `kind line cells`. */
async function read(
  text: string,
  format: Partial<SourceFormat>,
  partBytes = 1_000_000,
): Promise<readonly string[]> {
  const bytes = Buffer.from(text);
  async function* parts(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += partBytes) yield bytes.subarray(at, at + partBytes);
  }
  const file = { name: 'x.csv', bytes: parts } as unknown as SourceFile;
  const items: string[] = [];
  for await (const item of eachItem(readCsv(file, { ...RFC_4180, delimiter: ';', ...format }))) {
    if (item.kind === 'header') items.push(`header ${item.line} ${item.names.join('|')}`);
    else if (item.kind === 'notice' || item.kind === 'unreadable')
      items.push(`${item.kind} ${item.line} ${item.problem.code}`);
    else items.push(`${item.kind} ${item.row.firstLine} ${item.row.cells.join('|')}`);
  }
  return items;
}

const UNTIL = { untilHeader: ['K', 'Betrag'] };
const TEXT = 'Export; 2026\r\n\r\n"a ""b";x\r\nK;X;Betrag\r\n1;2;3\r\n';

describe('lines above the header', () => {
  const found = [
    'header 4 K|X|Betrag',
    'skipped 1 Export| 2026',
    'skipped 2 ',
    'skipped 3 a "b|x',
    'row 5 1|2|3',
  ];

  test.each([1, 2, 3, 7, 1_000])(
    'are passed over until the header, in parts of %i bytes',
    async (partBytes) => {
      expect(await read(TEXT, UNTIL, partBytes)).toEqual(found);
    },
  );

  test('end before a form feed and the header, which may be quoted', async () => {
    expect((await read('x\n"K";"Betrag"\n1;2\n', UNTIL))[0]).toBe('header 2 K|Betrag');
  });
});
