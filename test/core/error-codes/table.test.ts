import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src/core/app-error.ts';
import { AUTHORITIES } from '../../../src/core/error-codes/entry.ts';
import { FIELD_CODES, HTTP_CODES, RULE_CODES } from '../../../src/core/error-codes/platform-codes.ts';
import { adviceForClients, nextStepOf, sentenceOf } from '../../../src/core/error-codes/sentence.ts';
import {
  areaOf,
  entryOf,
  ERROR_CODES,
  isErrorCode,
  isWarning,
  retryOf,
  type ErrorCode,
} from '../../../src/core/error-codes/table.ts';
import { projectRoot, sourceFiles } from '../../support/source-tree.ts';
import { codesIn, raisedIn } from './raised-codes.ts';

/** All sources except the tables themselves. */
const sources = sourceFiles('src').filter(({ path }) => !path.startsWith('core/error-codes/'));

/** Codes that our own rules do not use, known because the real platform sends them. */
const ONLY_FROM_THE_REAL_PLATFORM = ['max_digits', 'ledger_code_does_not_exist'];

/** Facts that come from a spread object, by file and code. */
const SPREAD_FACTS: Readonly<Record<string, readonly string[]>> = {
  'cli/csv/read-csv.ts newline_inconsistent': ['first', 'first_line', 'other', 'other_line'],
  'cli/csv/read-csv.ts newlines_mixed': ['first', 'first_line', 'other', 'other_line'],
  'cli/csv/read-csv.ts row_too_short': ['cells', 'columns'],
  'cli/mapping/compile/beside-amounts.ts record_contradicts_itself': ['what', 'count', 'records', 'todo'],
  'cli/parity/twin.ts seed_invalid': ['reason'],
  'server/openapi/failures.ts payload_too_large': ['limit'],
  // The command that goes on is known where a run ends.
  'cli/push/send/drain.ts max_duration_over': ['resume'],
  'cli/push/send/drain.ts max_errors_exceeded': ['resume'],
  'cli/push/send/drain.ts retry_time_used_up': ['resume'],
  'cli/push/send/deliver.ts retry_time_used_up': ['reason', 'resume'],
  'server/routes/admin/operations.ts seed_invalid': ['reason'],
  'cli/push/stage/history-conflicts.ts record_changed': ['since_file', 'since_line', 'since', 'what'],
  'server/platform/transactions.ts transaction_outside_open_statement': ['from', 'to'],
};

test('a code is in one table only, and every table is part of the whole', async () => {
  const folder = join(projectRoot, 'src/core/error-codes');
  const files = readdirSync(folder).filter(
    (name) => name.endsWith('-codes.ts') && name !== 'removed-codes.ts',
  );
  const tables = await Promise.all(
    files.map(async (name) => (await import(join(folder, name))) as Record<string, Record<string, unknown>>),
  );
  const names = tables.flatMap((exported) => Object.values(exported).flatMap(Object.keys));
  expect(names.length).toBe(new Set(names).size);
  expect(names.length).toBe(Object.keys(ERROR_CODES).length);
});

test('every code is raised somewhere in the sources, or is known to come only from the real platform', () => {
  const raised = new Set(sources.flatMap(codesIn));
  const silent = Object.keys(ERROR_CODES).filter((code) => !raised.has(code as ErrorCode));
  expect(silent.toSorted()).toEqual([...ONLY_FROM_THE_REAL_PLATFORM].toSorted());
});

test('every code that deployments.md names is in the table, and an observed code is one that it names', () => {
  const page = readFileSync(join(projectRoot, 'docs/spec/deployments.md'), 'utf8');
  const column = (title: string, header: string): readonly string[] => {
    const lines = page.split(`\n## ${title}\n`)[1]!.split('\n## ')[0]!.split('\n');
    const tables = lines.map((line) => line.split('|').map((cell) => cell.trim()));
    const at = tables.find((cells) => cells.includes(header))!.indexOf(header);
    return tables.flatMap((cells) => [...(cells[at] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name!));
  };
  const codes = [
    ...column('Rules named by deployments', 'Code'),
    ...column('Framework behaviour', 'Codes'),
    ...column('Framework behaviour', 'Code'),
  ].filter((name) => /^[a-z_]+$/.test(name));
  expect(codes.length).toBeGreaterThan(50);
  expect(codes.filter((code) => !isErrorCode(code))).toEqual([]);
  const observed = Object.keys(ERROR_CODES).filter(
    (code) => entryOf(code as ErrorCode).authority === 'observed',
  );
  expect(observed.filter((code) => !codes.includes(code))).toEqual([]);
});

test('every fact that a text needs is given where the code is raised', () => {
  const missing = sources.flatMap(raisedIn).flatMap(({ code, at, facts }) => {
    const { sentence, next } = entryOf(code);
    // The server answers with the sentence only.
    const texts = at.startsWith('server/') ? sentence : sentence + next;
    const given = [...(facts ?? []), ...(SPREAD_FACTS[`${at.replace(/:\d+$/, '')} ${code}`] ?? [])];
    // Usual words stand in for a fact, and what they need is needed without it.
    const needed = placeholdersIn(
      texts.replaceAll(/\{(\w+)\|((?:[^{}]|\{\w+\})*)\}/g, (_, name: string, usual: string) =>
        given.includes(name) ? '' : usual,
      ),
    );
    return needed
      .filter((name) => !given.includes(name))
      .map((name) => `${at} raises ${code} without {${name}}`);
  });
  expect(missing).toEqual([]);
});

test.each([
  ["failure('max_length', [])", ['max_length'], []],
  [
    "const facts = { cells: 1 };\nfailure(short ? 'row_too_short' : 'row_too_long', [], facts)",
    ['row_too_short', 'row_too_long'],
    ['cells'],
  ],
  ["throw new AppError(code ?? 'setting_invalid', { ...more, reason })", ['setting_invalid'], ['reason']],
  ["const bad = { code: 'invalid', facts: { expected: 'x' } }", ['invalid'], ['expected']],
  ["warning('invalid', [], factsOf(cell))", ['invalid'], undefined],
])('the reader of the sources finds the codes that are raised in %j', (text, codes, facts) => {
  expect(raisedIn({ path: 'cli/x.ts', text })).toEqual(
    codes.map((code) => ({ code, at: expect.stringMatching(/^cli\/x\.ts:[12]$/) as string, facts })),
  );
});

describe('every row', () => {
  const rows = Object.entries(ERROR_CODES).map(
    ([code, { sentence, next }]) => ({ code, sentence, next, entry: entryOf(code as ErrorCode) }) as const,
  );

  /** Codes of the rows that are not so. */
  const codesUnless = (isSo: (row: (typeof rows)[number]) => boolean): readonly string[] =>
    rows.filter((row) => !isSo(row)).map(({ code }) => code);

  test('is right for one as for many', () => {
    // `all {count}` is used for many things only.
    const counts = /(?<!all )\{(count|cells)\} (?!of |in )[a-z]/;
    expect(codesUnless(({ sentence }) => !counts.test(sentence))).toEqual([]);
  });

  test('has a sentence without a final stop and a next step with one', () => {
    const isPlain = (sentence: string): boolean => !/[.!]$/.test(sentence) && sentence.trim() === sentence;
    expect(codesUnless(({ sentence, next }) => isPlain(sentence) && /\S[.}?]$/.test(next))).toEqual([]);
  });

  test('has an authority, and does not decide about retries when it has a status', () => {
    expect(codesUnless(({ entry }) => AUTHORITIES.includes(entry.authority))).toEqual([]);
    expect(codesUnless(({ entry }) => entry.status === null || entry.isTemporary === undefined)).toEqual([]);
    const exits = ['UNFINISHED', 'BUSY'];
    expect(codesUnless(({ entry }) => !entry.isTemporary || exits.includes(entry.exit))).toEqual([]);
  });

  test('names only codes and facts of plain words', () => {
    expect(codesUnless(({ code }) => /^[a-z]+(_[a-z0-9]+)*$/.test(code))).toEqual([]);
    const facts = rows.flatMap(({ sentence, next }) => placeholdersIn(sentence + next));
    expect(facts.filter((name) => !/^[a-z][a-z_]*$/.test(name))).toEqual([]);
  });
});

/** The codes that deployments.md names, with the status and the retry that it gives them. */
test.each([
  ['parse_error', 400, 'never'],
  ['not_authenticated', 401, 'token'],
  ['authentication_failed', 401, 'token'],
  ['permission_denied', 403, 'never'],
  ['not_found', 404, 'never'],
  ['method_not_allowed', 405, 'never'],
  ['unsupported_media_type', 415, 'never'],
  ['throttled', 429, 'wait'],
  ['error', 500, 'wait'],
] as const)('%s is answered with status %i', (code, status, retry) => {
  expect(entryOf(code)).toMatchObject({ status, authority: 'observed' });
  expect(retryOf(code)).toBe(retry);
});

test.each([
  ['run_locked', 'wait'],
  ['connection_failed', 'wait'],
  ['usage', 'never'],
] as const)('after %s, which has no status, the client may do this: %s', (code, retry) => {
  expect(retryOf(code)).toBe(retry);
});

test('the codes of fields are the codes of the framework', () => {
  expect(Object.keys(FIELD_CODES).toSorted()).toEqual(
    `required null invalid blank max_length min_length null_characters_not_allowed max_value min_value max_digits
    max_decimal_places max_whole_digits invalid_choice not_a_list empty unexpected_field`
      .split(/\s+/)
      .toSorted(),
  );
});

describe('a sentence', () => {
  test('is filled with facts, whatever characters they have', () => {
    expect(sentenceOf('max_length', { limit: '$& 5 {limit}' })).toBe('is longer than $& 5 {limit}');
    expect(nextStepOf('invalid_choice', { known: 'A, B' })).toBe('Use one of: A, B.');
    expect(sentenceOf('row_too_short', { cells: 0, columns: 3 })).toBe(
      'the row has fewer cells (0) than the header (3)',
    );
  });

  test('has `…` for a fact that is not given, as in the general text of a code', () => {
    expect(sentenceOf('max_length')).toBe('is longer than …');
  });
});

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'no_such_code'])(
  '%j is no code',
  (text) => {
    expect(isErrorCode(text)).toBe(false);
  },
);

test('a failure carries its code, its facts, its words and its cause', () => {
  const cause = new Error('EACCES');
  const error = new AppError('file_not_readable', { file: 'a.csv', reason: 'permission denied' }, cause);
  expect(error).toMatchObject({
    name: 'AppError',
    code: 'file_not_readable',
    facts: { file: 'a.csv' },
    message: 'a.csv cannot be read: permission denied',
    cause,
  });
  expect('cause' in new AppError('file_empty')).toBe(false);
});

function placeholdersIn(text: string): readonly string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
}

test('the codes that are only warnings are the ones that the sources raise as warnings alone', () => {
  const inSources = (pattern: RegExp): ReadonlySet<string> =>
    new Set(sources.flatMap(({ text }) => [...text.matchAll(pattern)].map((match) => match[1]!)));
  const warned = inSources(/(?<!\w)warning\(\s*'(\w+)'/g);
  const failed = inSources(/(?<!\w)(?:failure|AppError)\(\s*'(\w+)'/g);
  // A descriptor or an event names these codes, so no call of `warning` does.
  const elsewhere = [
    'answer_of_another_request',
    'issued_before_bill_period',
    'transaction_date_moved',
    'sent_again',
  ];
  const expected = [...warned, ...elsewhere].filter((code) => !failed.has(code));
  const codes = Object.keys(ERROR_CODES) as ErrorCode[];
  expect(codes.filter(isWarning).toSorted()).toEqual(expected.toSorted());
});

test('every code has an area', () => {
  const areas = (Object.keys(ERROR_CODES) as ErrorCode[]).map(areaOf);
  expect(areas.filter((area) => typeof area !== 'string' || area === '')).toEqual([]);
  expect([areaOf('required'), areaOf('run_locked')]).toEqual(['values of fields', 'runs']);
});

test('the author of another client reads about requests, not about cells, flags and settings of this client', () => {
  for (const code of Object.keys({ ...FIELD_CODES, ...RULE_CODES, ...HTTP_CODES }) as ErrorCode[])
    expect(adviceForClients(code), code).not.toMatch(
      /\bcells?\b|\brow\b|\bfile\b|--|DATAIMPORT|`dataimport|\bpush\b/,
    );
});
