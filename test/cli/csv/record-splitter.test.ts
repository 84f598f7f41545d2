import { describe, expect, test } from 'vitest';
import type { ParsedRecord } from '../../../src/cli/csv/record-parser.ts';
import { RecordParser } from '../../../src/cli/csv/record-parser.ts';
import { RecordSplitter } from '../../../src/cli/csv/record-splitter.ts';
import { RFC_4180, type SourceFormat } from '../../../src/cli/csv/source-format.ts';

/** What became of a text: its records, what is wrong with it, and the blank lines before that. */
interface Cut {
  readonly records: readonly ParsedRecord[];
  readonly problem?: string;
  readonly blankLines?: number;
}

type Cutter = typeof RecordParser | typeof RecordSplitter;

async function cutBy(Kind: Cutter, format: SourceFormat, parts: readonly Buffer[]): Promise<Cut> {
  const records: ParsedRecord[] = [];
  const cutter = new Kind(format, (record) => void records.push(record));
  for (const part of [...parts, null]) {
    const problem = await cutter.feed(part);
    if (problem) return { records, problem: problem.code, blankLines: cutter.blankLines };
  }
  return { records };
}

/** A text in two parts. */
function cutAt(text: string, place: number): readonly Buffer[] {
  const bytes = Buffer.from(text);
  return [bytes.subarray(0, place), bytes.subarray(place)].filter(({ length }) => length > 0);
}

/** The text whose characters are the digits of a number. */
function textOf(number: number, alphabet: readonly string[], length: number): string {
  let [text, rest] = ['', number];
  for (let at = 0; at < length; at++) {
    text += alphabet[rest % alphabet.length]!;
    rest = Math.floor(rest / alphabet.length);
  }
  return text;
}

/** Numbers from 0 to 1 that a seed decides (the minimal standard generator of Park and Miller). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

const SEMICOLONS: SourceFormat = { ...RFC_4180, delimiter: ';', quote: "'", escape: "'" };
const UNQUOTED: SourceFormat = { ...RFC_4180, delimiter: '\t', quote: null, escape: null };
const FIXED: SourceFormat = { ...RFC_4180, fixed: [{ name: 'a', width: 3 }] };

describe('the records of a text are those of csv-parse', () => {
  test.each([
    ['commas and quotes', '', RFC_4180, ['a', ',', '"', '\n', '\r']],
    ['commas and quotes, behind a quote', '"', RFC_4180, ['a', ',', '"', '\n', '\r']],
    ['semicolons and apostrophes', '', SEMICOLONS, ['é', ';', "'", '\n', '"']],
    ['tabs without quotes', '', UNQUOTED, ['a', '\t', '"', '\n', '\r']],
    ['fixed columns', '', FIXED, ['a', ',', '"', '\n', '\r']],
  ])('every text of up to four characters: %s', async (_, start, format, alphabet) => {
    for (let length = 0; length <= 4; length++)
      for (let number = 0; number < alphabet.length ** length; number++) {
        const text = start + textOf(number, alphabet, length);
        const parts = cutAt(text, number % (Buffer.byteLength(text) + 1));
        const [ours, theirs] = [
          await cutBy(RecordSplitter, format, parts),
          await cutBy(RecordParser, format, parts),
        ];
        expect(ours, JSON.stringify([text, parts.map(String)])).toEqual(theirs);
      }
  });

  test('long texts with cells of all kinds, in parts that end anywhere', async () => {
    const random = randomFrom(20_261_123);
    const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
    const cell = (): string =>
      pick([
        'plain',
        '',
        'Grüße',
        '€ 😀',
        '"quoted"',
        '""',
        '"a,b"',
        '"line\nbreak"',
        '"line\r\nbreak"',
        '"doubled "" quote"',
        '"""both"""',
        // Rarely something that is no whole cell, so that most texts go on behind it.
        pick([...Array.from({ length: 60 }, () => 'x'), 'in"side', '"open', '"behind"x', '\r']),
      ]);
    for (let round = 0; round < 250; round++) {
      const rows = Array.from({ length: 12 }, () =>
        Array.from({ length: 1 + Math.floor(random() * 4) }, cell).join(','),
      );
      const text = rows.map((row) => row + pick(['\n', '\n', '\r\n', '\n\n', '\r'])).join('');
      const bytes = Buffer.from(random() < 0.5 ? text : text.trimEnd());
      const parts: Buffer[] = [];
      for (let at = 0; at < bytes.length;) {
        const length = 1 + Math.floor(random() * 40);
        parts.push(bytes.subarray(at, at + length));
        at += length;
      }
      const [ours, theirs] = [
        await cutBy(RecordSplitter, RFC_4180, parts),
        await cutBy(RecordParser, RFC_4180, parts),
      ];
      expect(ours, JSON.stringify(text)).toEqual(theirs);
    }
  });

  test('a record that is larger than what is looked at twice', async () => {
    const large = `"${'x\n'.repeat(200_000)}"`;
    const bytes = Buffer.from(`a,b\n\n1,2\n3,${large}\n4,5\n`);
    const parts = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, part) =>
      bytes.subarray(part * 65_536, (part + 1) * 65_536),
    );
    const ours = await cutBy(RecordSplitter, RFC_4180, parts);
    expect(ours).toEqual(await cutBy(RecordParser, RFC_4180, parts));
    expect(ours.records).toHaveLength(4);
  });
});

test.each([
  ['two characters between cells', { ...RFC_4180, delimiter: '||' }],
  ['a delimiter that is not ASCII', { ...RFC_4180, delimiter: '§' }],
  ['escapes that are no doubled quotes', { ...RFC_4180, escape: '\\' }],
])('csv-parse reads the whole text where there is %s', async (_, format) => {
  const { delimiter } = format;
  const parts = [Buffer.from(`a${delimiter}"b\n${delimiter}"\n1${delimiter}2\n`)];
  const ours = await cutBy(RecordSplitter, format, parts);
  expect(ours).toEqual(await cutBy(RecordParser, format, parts));
  expect(ours.records.map(({ cells }) => cells)).toEqual([
    ['a', `b\n${delimiter}`],
    ['1', '2'],
  ]);
});
