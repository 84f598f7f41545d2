import { describe, expect, test } from 'vitest';
import { openSourceFile } from '../../../../src/cli/csv/source-file.ts';
import { loadMapping, needMapping } from '../../../../src/cli/mapping/file/load-mapping.ts';
import { sentenceOf } from '../../../../src/core/error-codes/sentence.ts';
import { problemsOf, folderWith, mapped, type Files } from '../../../support/mapping-files.ts';

const NOTES = 'version: 1\nresource: notes\nfields:\n  external_account_number: K\n';
const TRANSACTIONS = `version: 1
resource: transactions
fields:
  external_account_number: K
  transaction_id: B
  transaction_date: D
  amount: A
  type: T
`;

async function wordsOf(text: string, files: Files = {}): Promise<readonly string[]> {
  const folder = folderWith({ 'm.yaml': text, ...files });
  const { problems } = await loadMapping('m.yaml', (name) => openSourceFile(name, folder));
  return problems.map(({ problem }) => sentenceOf(problem.code, problem.facts));
}

describe('a regular expression', () => {
  const words = (pattern: string) =>
    wordsOf(`${NOTES}  body: { column: B, replace: [{ pattern: '${pattern}', with: '' }] }\n`);

  test.each([
    String.raw`^\s+|\s+$`,
    String.raw`(\d+)-(\d+)-(\d+)`,
    String.raw`<br\s*/?>|</p>|</li>`,
    '^([A-Z]+) +([A-Z]+) +(.*)$',
    String.raw`^(.+?), (.+?) \((.+)\)$`,
    '^([^;]*);([^;]*);(.*)$',
    '^(a+)+$',
    String.raw`(?i)stra\x{df}e|\pL`,
    String.raw`\u00e4`,
  ])('%s is an ordinary one', async (pattern) => expect(await words(pattern)).toEqual([]));

  test.each([
    [String.raw`^(a)\1$`, 'invalid escape sequence: `\\1`'],
    [String.raw`^(?<x>a)\k<x>$`, 'invalid escape sequence: `\\k`'],
    [String.raw`^1(?=\d{6}$)`, 'invalid or unsupported Perl syntax: `(?=`'],
    ['a(', 'missing closing ): `a(`'],
  ])('%s is not one of RE2', async (pattern, reason) =>
    expect(await words(pattern)).toEqual([
      `must be a regular expression of RE2, which has no references back and no look-around: ${reason}`,
    ]),
  );
});

test.each([
  ['$1-$2$$ $&', []],
  [String.raw`C:\new`, []],
  [String.raw`\1`, ['$1']],
  ['$0', ['$1']],
  ['${1}', ['$1']],
])('%s in place of a match', async (by, hints) => {
  const found = await wordsOf(
    `${NOTES}  body: { column: B, replace: [{ pattern: '(a)', with: '${by}' }] }\n`,
  );
  expect(found).toEqual(hints.map((hint) => expect.stringContaining(hint)));
});

test('a right mapping has no problems', async () => {
  expect(await problemsOf({ 'm.yaml': NOTES })).toEqual([]);
  expect(await problemsOf({ 'm.yaml': TRANSACTIONS })).toEqual([]);
});

describe('a file that cannot be a mapping', () => {
  const OBJECT = 'must be an object with `version` and `resource`';
  test.each(
    Object.entries<[string, string | RegExp]>({
      '': ['1:1 mapping_value_invalid', OBJECT],
      notes: ['1:1 mapping_value_invalid', OBJECT],
      '- 1': ['1:1 mapping_value_invalid', OBJECT],
      'version: 1': ['1:1 mapping_value_invalid resource', 'needs to be given'],
      'resource: notes': ['1:1 mapping_value_invalid version', 'needs to be given'],
      'version: 1\nresource: note': [
        '2:11 mapping_value_invalid resource',
        'must be one of notes, transactions, statements, payment-instructions',
      ],
      'version: 2\nresource: notes\nfields: { external_account_number: K }': [
        '1:10 mapping_value_invalid version',
        'must be `1`',
      ],
      [`${NOTES}  external_account_number: L\n`]: ['5:3 mapping_value_invalid', /must be readable YAML/],
      [`${NOTES}  __proto__: L\n`]: [
        '5:3 mapping_value_invalid fields.__proto__',
        'there is no key `__proto__` here',
      ],
      'version: 1\nresource: notes\nsource:\nfields: # QUESTION 1': [
        '4:9 mapping_value_invalid fields',
        /^needs the fields `external_account_number`/,
      ],
    }),
  )('%s', async (text, [problem, words]) => {
    expect(await problemsOf({ 'm.yaml': text })).toEqual([problem]);
    expect(await wordsOf(text)).toEqual([expect.stringMatching(words)]);
    expect(({} as Record<string, unknown>)['column']).toBeUndefined();
  });
});

describe('a key that does not exist', () => {
  test.each(
    Object.entries<[string, string]>({
      [`${NOTES}feilds: {}\n`]: [
        '5:1 mapping_value_invalid feilds',
        'there is no key `feilds` here; did you mean fields?',
      ],
      [`${NOTES}  bdoy: B\n`]: [
        '5:3 mapping_value_invalid fields.bdoy',
        'there is no key `bdoy` here; did you mean body?',
      ],
      [`${NOTES}  body: { column: B, trmi: true }\n`]: [
        '5:22 mapping_value_invalid fields.body.trmi',
        'there is no key `trmi` here; did you mean trim?',
      ],
      [`${NOTES}  body: { column: B, negate: true }\n`]: [
        '5:22 mapping_value_invalid fields.body.negate',
        'there is no key `negate` here',
      ],
      [`${NOTES}filter: [{ colum: B, is: empty }]\n`]: [
        '5:12 mapping_value_invalid filter.0.colum',
        'there is no key `colum` here; did you mean column?',
      ],
      [`${NOTES}filter: [{ column: B, is: empty, replace: true }]\n`]: [
        '5:34 mapping_value_invalid filter.0.replace',
        'there is no key `replace` here',
      ],
      [`${NOTES}  amount: B\n`]: ['5:3 mapping_value_invalid fields.amount', 'there is no key `amount` here'],
    }),
  )('%s', async (text, [problem, words]) => {
    expect(await problemsOf({ 'm.yaml': text })).toEqual([problem]);
    expect(await wordsOf(text)).toEqual([words]);
  });
});

describe('a value that a key cannot have', () => {
  test.each(
    Object.entries<[string, string | RegExp]>({
      'source: { escape: ";;" }': ['5:19 mapping_value_invalid source.escape', 'must be one character'],
      'source: { delimiter: "" }': ['5:22 mapping_question_open source.delimiter', 'has no value'],
      'source: { tables: { Bills: { file: b.csv } }, sql: x }': [
        '5:28 mapping_value_invalid source.tables.Bills',
        'must be a name of lower-case letters, digits and _, such as bills',
      ],
      'source: { tables: { bills: { type: csv } }, sql: x }': [
        '5:28 mapping_value_invalid source.tables.bills.file',
        'needs to be given',
      ],
      'source: { encoding: latin1 }': [
        '5:21 mapping_value_invalid source.encoding',
        /must be one of `utf-8`/,
      ],
      'source: { skip_lines: -1 }': [
        '5:23 mapping_value_invalid source.skip_lines',
        'must be a whole number from 0 to 1000000',
      ],
      'source: { trim: yes }': ['5:17 mapping_value_invalid source.trim', 'must be one of `true`, `false`'],
      'source: { time_zone: Europe/Berln }': ['5:22 mapping_value_invalid source.time_zone', /time zone/],
      'source: { time_zone: +01:00 }': ['5:22 mapping_value_invalid source.time_zone', /time zone/],
      'source: { date_format: dd.mm.yyyy }': ['5:24 mapping_value_invalid source.date_format', /date format/],
      'source: { date_format: [dd.MM.yyyy, x] }': [
        '5:37 mapping_value_invalid source.date_format.1',
        /date format/,
      ],
      '  body: { column: A, otherwise: keep }': [
        '5:22 mapping_value_invalid fields.body.otherwise',
        /an alternative behind it/,
      ],
      '  body: []': ['5:9 mapping_value_invalid fields.body', 'must be a list that is not empty'],
      '  created_at: { column: A, format: "dd.MM.yyyy HH:mm" }': [
        '5:15 mapping_value_invalid fields.created_at',
        /time_zone/,
      ],
      '  created_at: { column: A, format: dd.MM.yyyy, time_zone: Europe/London }': [
        '5:15 mapping_value_invalid fields.created_at',
        /`at`/,
      ],
      "  created_at: { column: A, format: 'dd.MM.yy HH:mm', time_zone: Europe/London }": [
        '5:15 mapping_value_invalid fields.created_at',
        /century/,
      ],
      '  created_at: { constant: 2026-01-01 }': [
        '5:27 mapping_value_invalid fields.created_at.constant',
        /date-time/,
      ],
      '  is_pinned: { constant: yes }': [
        '5:26 mapping_value_invalid fields.is_pinned.constant',
        /true or false/,
      ],
      '  body: { column: A, when: { field: bdy, is: present } }': [
        '5:37 mapping_value_invalid fields.body.when.0.field',
        /did you mean body/,
      ],
      'source: { fixed: [{ name: A }] }': ['5:19 mapping_value_invalid source.fixed.0', /`width`/],
      '  body:': ['5:8 mapping_question_open fields.body', 'has no value'],
      '  body: # QUESTION 1': ['5:9 mapping_question_open fields.body', 'has no value'],
      '  # QUESTION 3: where does the body\n  #   come from?\n  # Remove the "# ".\n  body:\n    # Text': [
        '8:8 mapping_question_open fields.body',
        /^is open; answer question 3, line 5: where does the body come from\?$/,
      ],
      'source:\n  # QUESTION 1: which?\n  trailer:': [
        '7:11 mapping_question_open source.trailer',
        /question 1, line 6: which/,
      ],
      'filter:': ['5:8 mapping_question_open filter', 'has no value'],
      'source: { months: [a, b] }': ['5:19 mapping_value_invalid source.months', /12 different names/],
      'source: { months: [a, b, c, d, e, f, g, h, i, j, k, A] }': [
        '5:19 mapping_value_invalid source.months',
        /12 different names/,
      ],
      'source: { trailer: { cell: 1, equals: T, matches: T } }': [
        '5:20 mapping_value_invalid source.trailer',
        /exactly one of `equals`, `starts_with`, `matches`/,
      ],
      "  is_pinned: { column: A, lookup: { x: 'true', y: J } }": [
        '5:51 mapping_value_invalid fields.is_pinned.lookup.y',
        /true or false/,
      ],
      '  created_at: { column: A, lookup: { x: 05.01.2026 } }': [
        '5:41 mapping_value_invalid fields.created_at.lookup.x',
        /date-time/,
      ],
    }),
  )('%s', async (line, [problem, words]) => {
    expect(await problemsOf({ 'm.yaml': `${NOTES}${line}\n` })).toEqual([problem]);
    expect((await wordsOf(`${NOTES}${line}\n`))[0]).toMatch(words);
  });

  test.each([
    ['header: false, quote: none, escape: x', ['value_invalid source.header', 'value_invalid source.escape']],
    ['quote: none, escape: x, header: false', ['value_invalid source.escape', 'value_invalid source.header']],
  ])('is reported in the order of the file: { %s }', async (source, expected) => {
    const problems = await problemsOf({ 'm.yaml': `${NOTES}source: { ${source} }\n` });
    expect(problems.map((each) => each.replace(/^5:\d+ mapping_/, ''))).toEqual(expected);
  });

  test('is reported with all other problems', async () => {
    const problems = await problemsOf({
      'm.yaml': 'version: 1\nresource: transactions\nfields: {}\nsource: { header: false }\n',
    });
    expect(problems).toEqual([
      '3:9 mapping_value_invalid fields',
      '4:19 mapping_value_invalid source.header',
    ]);
    expect((await wordsOf('version: 1\nresource: transactions\n'))[0]).toContain(
      '`external_account_number`, `transaction_id`, `transaction_date`, `amount`, `type`',
    );
  });
});

test('texts stay as they are written, whatever YAML would read them as', async () => {
  const { records } = await mapped(
    {
      'm.yaml': `${NOTES}  body: { column: T, lookup: { 01: one, 1: two, NULL: three, true: four, 1.10: five } }\n`,
      'x.csv': 'K,T\n1,01\n1,1\n1,NULL\n1,true\n1,1.10\n',
    },
    'ACME',
  );
  expect(records).toEqual(['one', 'two', 'three', 'four', 'five'].map((body) => JSON.stringify({ body })));
});

test('a mapping that is needed and wrong ends the command with its first problem and the number of all', async () => {
  const folder = folderWith({ 'm.yaml': `${NOTES}sorce: {}\nfliter: []\n` });
  await expect(needMapping('m.yaml', (name) => openSourceFile(name, folder))).rejects.toMatchObject({
    code: 'mapping_invalid',
    facts: {
      mapping: 'm.yaml',
      count: 2,
      reason: 'sorce there is no key `sorce` here; did you mean source?',
      file: 'm.yaml',
      line: 5,
      column: 1,
    },
  });
});
