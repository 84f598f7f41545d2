import { describe, expect, test } from 'vitest';
import { failureOf } from '../../support/csv-encodings.ts';
import { readAll, type ReadFile } from '../../support/push-rows.ts';

/** Header and rows with their lines, and the notices between them. They are the same in chunks of any size. */
async function readingOf(content: string): Promise<{ lines: readonly string[]; said: readonly unknown[] }> {
  const plain = summary(await readAll(content));
  for (let chunkBytes = 1; chunkBytes <= content.length; chunkBytes++)
    expect(summary(await readAll(content, { chunkBytes }))).toEqual(plain);
  return plain;
}

function summary({ header, rows, notices, end }: ReadFile): { lines: string[]; said: unknown[] } {
  return {
    lines: [
      `${header!.line}: ${header!.names.join('|')}`,
      ...rows.map(({ firstLine, lastLine, cells }) => `${firstLine}-${lastLine}: ${cells.join('|')}`),
    ],
    said: [
      ...notices.map(({ line, problem }) => [line, problem.code, problem.severity, problem.facts]),
      ...(end ? [failureOf(end)] : []),
    ],
  };
}

test('[C041] lone CR line ends are read when all are alike', async () => {
  expect(await readingOf('a,b\r1,"x\ry"\r\r3,4\r')).toEqual({
    lines: ['1: a|b', '2-3: 1|x\ry', '5-5: 3|4'],
    said: [],
  });
});

test('[C041] a CRLF in quotes ends one line and a lone CR in quotes another, whatever the rows end with', async () => {
  expect((await readingOf('a\r"1\r\n2\r3\n4"\rz')).lines).toEqual(['1: a', '2-5: 1\r\n2\r3\n4', '6-6: z']);
  expect((await readingOf('a\n"1\r\n2\r3\n4"\nz')).lines).toEqual(['1: a', '2-5: 1\r\n2\r3\n4', '6-6: z']);
});

describe('[C041] a lone CR beside other line ends is refused, because it may be part of a cell', () => {
  const inconsistent = (line: number, first: string, other: string): object => ({
    line,
    code: 'newline_inconsistent',
    first,
    first_line: 1,
    other,
    other_line: line,
  });
  test.each([
    ['a CR inside a cell without quotes', 'a,b\n1,x\ry\n3,4\n', ['1: a|b'], inconsistent(2, 'LF', 'CR')],
    [
      'a CR in the middle of a CRLF file',
      'a\r\nb\r\nc\rd\r\n',
      ['1: a', '2-2: b'],
      inconsistent(3, 'CRLF', 'CR'),
    ],
    ['an LF in the middle of a CR file', 'a\rb\rc\nd\r', ['1: a', '2-2: b'], inconsistent(3, 'CR', 'LF')],
    ['a CRLF at the end of a CR file', 'a\rb\r\n', ['1: a'], inconsistent(2, 'CR', 'CRLF')],
    ['a CR after a closing quote', 'a\n"x"\ry\n', ['1: a'], inconsistent(2, 'LF', 'CR')],
  ])('%s', async (_, content, lines, said) => {
    expect(await readingOf(content)).toEqual({ lines, said: [said] });
  });
});

test('[C042] CRLF and LF are read together, with one warning that names the first line of each', async () => {
  const facts = { first: 'CRLF', first_line: 1, other: 'LF', other_line: 3 };
  expect(await readingOf('a,b\r\n1,2\r\n3,4\n5,6\r\n7,8\n')).toEqual({
    lines: ['1: a|b', '2-2: 1|2', '3-3: 3|4', '4-4: 5|6', '5-5: 7|8'],
    said: [[3, 'newlines_mixed', 'warning', facts]],
  });
});

test('an LF in quotes does not make a CRLF file mixed', async () => {
  expect((await readingOf('a,b\r\n1,"x\ny"\r\n')).said).toEqual([]);
});

describe('[C016] only the row at the very end of a file without a line break ends with the file', () => {
  test.each([
    ['cut off', 'a,b\n1,2\n3', [undefined, true]],
    ['cut off behind a delimiter', 'a,b\n1,2\n3,', [undefined, true]],
    ['ended by a closing quote', 'a,b\n1,"2\n"', [true]],
    ['whole', 'a,b\n1,2\n', [undefined]],
    ['whole, with CR', 'a,b\r1,2\r', [undefined]],
    ['whole, with blank lines', 'a,b\n1,2\n\n\n', [undefined]],
  ])('%s', async (_, content, expected) => {
    for (const chunkBytes of [undefined, 1, 2, 3]) {
      const { rows } = await readAll(content, { chunkBytes });
      expect(rows.map(({ endsAtEof }) => endsAtEof)).toEqual(expected);
    }
  });
});
