import type { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { memoryOf, packed, unpacked } from '../../../src/cli/csv/packed-items.ts';
import { readCsv } from '../../../src/cli/csv/read-csv.ts';
import { readOnThread } from '../../../src/cli/csv/reading-thread.ts';
import { openSourceFile } from '../../../src/cli/csv/source-file.ts';
import { RFC_4180, type SourceFormat } from '../../../src/cli/csv/source-format.ts';
import { eachItem, type ReadItem } from '../../../src/cli/csv/source-row.ts';
import { fileWith } from '../../support/push-rows.ts';
import { anyCharacter } from '../../support/any-character.ts';

type Reader = (...args: Parameters<typeof readOnThread>) => AsyncGenerator<readonly ReadItem[]>;

async function itemsBy(read: Reader, bytes: Uint8Array, format: Partial<SourceFormat>): Promise<unknown> {
  const file = await openSourceFile(fileWith(bytes));
  const items: ReadItem[] = [];
  try {
    for await (const item of eachItem(read(file, { ...RFC_4180, ...format }))) items.push(item);
  } finally {
    await file.close();
  }
  return items;
}

const ROW = `"a ""b""\r\n",€uro,漢字,,${'x'.repeat(500)}\n`;
/** Many parts of a file, each of which begins within a row. */
const LONG = `a,b,c,d,e\n${ROW.repeat(5_000)}`;

const FILES: readonly (readonly [
  title: string,
  content: string | Uint8Array,
  format: Partial<SourceFormat>,
])[] = [
  ['of many parts', LONG, {}],
  ['of many parts that cannot be read to its end', `${LONG}"x`, {}],
  [
    'of many parts with a wrong byte among them',
    Buffer.concat([Buffer.from(LONG), Buffer.from([0xff]), Buffer.from(LONG)]),
    {},
  ],
  ['with a wide character far behind the beginning of a row', `a,b\n${'x'.repeat(70_000)},€\n`, {}],
  ['without a line break at its end', 'a,b\n1,2\n3', {}],
  ['with other line ends and blank lines', '\uFEFFa,b\r\n1,2\n\n\n3,4\r\n', {}],
  ['without anything', '', {}],
  [
    'with a control record and a preamble',
    'Export\nK;B\n1;2\n3;4\nEND;2\n',
    {
      delimiter: ';',
      untilHeader: ['K', 'B'],
      totals: [{ cell: 1, mark: { equals: 'END' }, fixed: null }],
    },
  ],
  [
    'of fixed columns with filled gaps',
    'ab c\ndexf\n',
    {
      fixed: [
        { name: 'A', width: 2 },
        { name: null, width: 1 },
        { name: 'B', width: 1 },
      ],
    },
  ],
  [
    'of pages in another encoding',
    Buffer.from('K,B\nPage 1\nä,2\nK,B\nö,4\n', 'latin1'),
    {
      encoding: 'iso-8859-1',
      skipsRepeatedHeaders: true,
      pageLines: ['^Page'],
    },
  ],
];

describe('on a thread of its own', () => {
  test.each(FILES)('a file %s has the same items', async (_, content, format) => {
    const bytes = Buffer.from(content as string);
    expect(await itemsBy(readOnThread, bytes, format)).toEqual(await itemsBy(readCsv, bytes, format));
  });

  test('reading ends when nobody takes the items', async () => {
    const threads = threadsStarted();
    const file = await openSourceFile(fileWith(LONG));
    for await (const items of readOnThread(file, RFC_4180)) {
      expect(items[0]).toMatchObject({ kind: 'header' });
      break;
    }
    await file.close();
    expect(threads.map(({ threadId }) => threadId)).toEqual([-1]);
  });

  test.each([
    ['was stopped', 'it was stopped', (thread: Worker): void => void thread.terminate()],
    [
      'has no memory left',
      'it had no memory left',
      (thread: Worker): void =>
        void thread.emit('error', Object.assign(new Error('heap'), { code: 'ERR_WORKER_OUT_OF_MEMORY' })),
    ],
  ])('a thread that %s ends the reading with an error', async (_, reason, end) => {
    threadsStarted((thread) => setImmediate(end, thread));
    await expect(itemsBy(readOnThread, Buffer.from(LONG), {})).rejects.toMatchObject({
      code: 'machine_exhausted',
      facts: { reason: expect.stringContaining(reason) as unknown },
    });
  });
});

/** The threads that a test starts from now on. */
function threadsStarted(onThread: (thread: Worker) => void = () => undefined): readonly Worker[] {
  const threads: Worker[] = [];
  const listener = (thread: Worker): void => {
    threads.push(thread);
    onThread(thread);
  };
  process.on('worker', listener);
  onTestFinished(() => void process.off('worker', listener));
  return threads;
}

const row = fc.record(
  {
    firstLine: fc.nat(),
    lastLine: fc.nat(),
    byteStart: fc.maxSafeNat(),
    byteEnd: fc.maxSafeNat(),
    cells: fc.array(fc.string({ unit: anyCharacter }), { maxLength: 4 }),
    endsAtEof: fc.boolean(),
    filledGaps: fc.array(fc.nat()),
  },
  { requiredKeys: ['firstLine', 'lastLine', 'byteStart', 'byteEnd', 'cells'], noNullPrototype: true },
);
const item = fc.oneof(
  { weight: 5, arbitrary: row.map((each): ReadItem => ({ kind: 'row', row: each })) },
  row.map((each): ReadItem => ({ kind: 'page_line', row: each })),
  fc.nat().map((line): ReadItem => ({ kind: 'header', line, names: ['a'] })),
);

test('packed items are the same after they were passed to another thread', () => {
  fc.assert(
    fc.property(fc.array(item), (items) => {
      const sent = packed(items, false);
      expect(unpacked(structuredClone(sent, { transfer: [...memoryOf(sent)] }))).toEqual(items);
    }),
  );
});
