import { describe, expect, test } from 'vitest';
import { memoryViolations } from './campaigns/memory.ts';
import { answerViolations, storedViolations } from './invariants/answers.ts';
import { artefactViolations } from './invariants/artefacts.ts';
import { ledgerDifference, ledgerViolations } from './invariants/ledger.ts';
import { reportViolations } from './invariants/report.ts';
import { requestViolations } from './invariants/requests.ts';
import { INVARIANTS, type Violation } from './invariants/violation.ts';
import { isPlainJson } from './plain-document.ts';
import type { SeenRequest } from './request-log.ts';

const codes = (violations: readonly Violation[]): readonly string[] =>
  violations.map(({ invariant }) => invariant);

const record = (id: string, amount = '1.00'): string => `amount=${amount}\ntransaction_id=${id}\ntype=CHARGE`;
const ledger = (...records: readonly string[]) => new Map([['1 transaction', records]]);
const EXPECTED = ledger(record('a'), record('b', '2.50'));

describe('a ledger', () => {
  test.each([
    ['as expected', EXPECTED, []],
    ['with a missing record', ledger(record('a')), ['I1', 'I3']],
    ['with a repeated record', ledger(record('a'), record('b', '2.50'), record('b', '2.50')), ['I1', 'I3']],
    ['with a record that nobody sent', ledger(record('a'), record('b', '2.50'), record('c')), ['I1', 'I3']],
    ['with an amount that is off by a penny', ledger(record('a'), record('b', '2.51')), ['I1', 'I1', 'I3']],
    ['in another order', ledger(record('b', '2.50'), record('a')), ['I4']],
  ])('%s', (_, actual, found) => {
    expect(codes(ledgerViolations(EXPECTED, actual))).toEqual(found);
  });

  test('is counted for the table', () => {
    const actual = ledger(record('a'), record('a'));
    expect(ledgerDifference(EXPECTED, actual)).toEqual({ lost: 1, repeated: 1, foreign: 0, totalsDiffer: 1 });
  });
});

const OUTCOMES = { read: 2, created: 2, existing: 0, verify: 0, rejected: 0, unknown: 0, not_sent: 0 };
const TOTALS = [{ type: 'CHARGE', count: 2, accepted: '3.50' }];
const TRUTH = { rowsInFile: 2, ledger: EXPECTED, merged: 0 };

describe('a report', () => {
  test.each([
    ['that is true', {}, 0, []],
    ['that forgets a row', { created: 1 }, 0, ['I2', 'I2']],
    ['of rows that the file does not have', { read: 3, created: 3 }, 0, ['I2', 'I2']],
    ['of a rejected row that is present', { created: 1, rejected: 1 }, 6, ['I2']],
    ['of success with a row in doubt', { created: 1, verify: 1 }, 0, ['I10']],
    ['of a partial success without a row in doubt', {}, 6, ['I10']],
    ['of success with a row left', { created: 1, not_sent: 1 }, 0, ['I2', 'I10']],
  ])('%s', (_, rows, exit, found) => {
    const report = { rows: { ...OUTCOMES, ...rows }, totals: TOTALS, exit };
    expect(codes(reportViolations(report, TRUTH))).toEqual(found);
  });

  test('with a sum that the ledger does not have', () => {
    const report = { rows: OUTCOMES, totals: [{ ...TOTALS[0]!, accepted: '3.51' }], exit: 0 };
    expect(codes(reportViolations(report, TRUTH))).toEqual(['I3']);
  });
});

/** A request from one moment to another. */
const request = (from: number, to: number, changes: Partial<SeenRequest> = {}): SeenRequest => ({
  resource: 'transactions',
  life: 1,
  account: '1',
  keys: ['a'],
  body: 'a',
  answer: 'ok',
  askedMs: 0,
  start: { atMs: from, order: from },
  end: { atMs: to, order: to },
  ...changes,
});
const next = { keys: ['b'], body: 'b' };

describe('requests', () => {
  test.each<readonly [string, readonly SeenRequest[], readonly string[]]>([
    ['one after the other', [request(1, 2), request(3, 4, next)], []],
    ['of one account at a time', [request(1, 4), request(3, 5, next)], ['I5']],
    ['of two accounts at a time', [request(1, 4), request(3, 5, { ...next, account: '2' })], []],
    ['of a dead client and of the next one', [request(1, 9, { life: 0 }), request(3, 5)], []],
    [
      'of other records while one is in doubt',
      [request(1, 2, { answer: 'ambiguous' }), request(3, 4, next)],
      ['I5'],
    ],
    [
      'of other records while one has no answer',
      [{ ...request(1, 2), life: 0, end: undefined, answer: undefined }, request(3, 4, next)],
      ['I5'],
    ],
    ['of the same records after one in doubt', [request(1, 2, { answer: 'ambiguous' }), request(3, 4)], []],
    [
      'after a refusal',
      [request(1, 2, { answer: 'stops' }), request(3, 4, { ...next, account: '2' })],
      ['I7'],
    ],
    [
      'in flight at a refusal',
      [request(1, 3, { answer: 'stops' }), request(2, 4, { ...next, account: '2' })],
      [],
    ],
    ['after a refusal in another life', [request(1, 2, { answer: 'stops' }), request(3, 4, { life: 2 })], []],
    [
      'before the asked time is over',
      [request(1, 2, { askedMs: 100 }), request(50, 60, { account: '2' })],
      ['I9'],
    ],
    [
      'after the asked time is over',
      [request(1, 2, { askedMs: 100 }), request(102, 103, { account: '2' })],
      [],
    ],
    ['with the same body in a later batch', [request(1, 2), request(1500, 1501)], []],
    ['for longer than allowed', [request(1, 2, { answer: 'not_applied' }), request(1500, 1501)], ['I9']],
  ])('%s', (_, seen, found) => {
    expect(codes(requestViolations(seen, { retryForMs: 1000 }))).toEqual(found);
  });
});

test('a foreign refusal holds its account while refusals are set aside, and the third in a row ends the run', () => {
  const foreign = (at: number, account: string) =>
    request(at, at + 1, { ...next, account, answer: 'foreign' });
  const found = (...seen: readonly SeenRequest[]) =>
    codes(requestViolations(seen, { retryForMs: 1000, setsAside: true }));
  const two = [foreign(1, '1'), foreign(3, '2')];
  expect(
    found(...two, request(5, 6, { account: '3' }), foreign(7, '4'), request(9, 10, { account: '5' })),
  ).toEqual([]);
  expect(found(foreign(1, '1'), request(3, 4))).toEqual(['I7']);
  expect(found(...two, foreign(5, '3'), request(7, 8, { account: '4' }))).toEqual(['I7']);
  expect(
    codes(requestViolations([foreign(1, '1'), request(3, 4, { account: '2' })], { retryForMs: 1000 })),
  ).toEqual(['I7']);
});

test('an ambiguous answer ends no run', () => {
  const seen = [request(1, 2, { answer: 'ambiguous' }), request(3, 4, { ...next, account: '2' })];
  expect(codes(requestViolations(seen, { retryForMs: 1000 }))).toEqual([]);
});

test('a request of several records must not have more bytes of records than allowed, and one record may', () => {
  const body = '{"external_account_number":"1","notes":[{"body":"é"},{"body":"b"}]}';
  const seen = (keys: readonly string[]) => [request(1, 2, { body, keys })];
  const found = (keys: readonly string[], batchBytes: number): readonly string[] =>
    codes(requestViolations(seen(keys), { retryForMs: 1000, batchBytes }));
  expect(found(['a', 'b'], 25)).toEqual([]);
  expect(found(['a', 'b'], 24)).toEqual(['I16']);
  expect(found(['a'], 10)).toEqual([]);
});

test('a row that has to be verified is on the platform and not accepted', () => {
  const rows = { ...OUTCOMES, created: 1, verify: 1 };
  const found = (accepted: string): readonly string[] => {
    const report = { rows, totals: [{ ...TOTALS[0]!, accepted }], exit: 6 };
    return codes(reportViolations(report, { ...TRUTH, toVerify: [record('b', '2.50')] }));
  };
  expect(found('1.00')).toEqual([]);
  expect(found('3.50')).toEqual(['I3']);
});

test('a secret is found in every artefact, in UTF-8 and in UTF-16', () => {
  const artefacts = [
    { name: 'a', bytes: Buffer.from('…kanarie…') },
    { name: 'b', bytes: Buffer.from('kanarie', 'utf16le') },
    { name: 'c', bytes: Buffer.from('kanari') },
  ];
  expect(artefactViolations(artefacts, { 'the key': 'kanarie' }).map(({ words }) => words)).toEqual([
    'a contains the key',
    'b contains the key',
  ]);
});

describe('an answer of the platform', () => {
  const ERROR = '{"detail":"a","code":"b"}';
  test.each([
    ['a plain error', 401, ERROR, []],
    ['a validation error', 400, '{"detail":"a","code":"b","errors":[]}', []],
    ['an error of a transaction', 400, '{"status":"TRANSACTION_IMPORT_ERROR","error_detail":"a"}', []],
    ['a failure of the server', 500, ERROR, ['I12']],
    ['a redirect', 301, ERROR, ['I12']],
    ['the way to the page', 302, '{"page":"/_local/ui"}', []],
    ['a 400 without a list of errors', 400, ERROR, ['I12']],
    ['an answer that is no JSON', 404, 'Not found', ['I12']],
    ['JSON of another shape', 404, '{"error":"a"}', ['I12']],
  ])('%s', (_, status, body, found) => {
    const contentType = 'application/json; charset=utf-8';
    expect(codes(answerViolations({ status, body, contentType, hasBody: true }))).toEqual(found);
  });

  test('that is a page is not one of the interface', () => {
    const page = { status: 404, body: '{}', contentType: 'text/html', hasBody: true };
    expect(codes(answerViolations(page))).toEqual(['I12']);
  });

  test.each([
    ['notes', 201, '[{"status":"NOTE_CREATION_SUCCESS"},{"status":"NOTE_ALREADY_EXISTS"}]', 1],
    [
      'transactions',
      201,
      '{"results":[{"status":"TRANSACTION_ADDED_TO_ACCOUNT"},{"status":"TRANSACTION_ALREADY_EXISTS"}]}',
      1,
    ],
    ['statements', 201, '{"statements":[{},{}]}', 2],
    ['an instruction', 201, '{"platform_account_number":"A-1","reference":"r"}', 1],
    ['a refusal', 400, '[{"status":"NOTE_CREATION_SUCCESS"}]', 0],
  ])('reports how many records it stored: %s', (_, status, body, stored) => {
    expect(storedViolations([{ status, body }], stored)).toEqual([]);
    expect(codes(storedViolations([{ status, body }], stored + 1))).toEqual(['I13']);
  });
});

test.each([
  ['that stays level', [100, 140, 150, 150, 150, 150], []],
  ['that goes up and down', [100, 150, 220, 120, 200, 150], []],
  ['that keeps growing', [100, 150, 200, 250, 300, 350], ['I15']],
  ['that was measured too seldom', [100, 900], []],
])('memory %s', (_, residentMb, found) => {
  expect(codes(memoryViolations(residentMb))).toEqual(found);
});

test.each([
  ['{"a":[1,{"b":"x:,{"}]}', true],
  ['{"a":1,"a":1}', false],
  [String.raw`{"a":1,"\u0061":2}`, false],
  ['[{"a":1},{"a":2}]', true],
  [`${'['.repeat(32)}${']'.repeat(32)}`, true],
  [`${'['.repeat(33)}${']'.repeat(33)}`, false],
  ['{"a":1', false],
])('whether the parser of campaigns accepts %s as plain JSON: %s', (text, isPlain) => {
  expect(isPlainJson(Buffer.from(text))).toBe(isPlain);
});

test('every invariant has its sentence', () => {
  // I25 was about drafts from examples, which are gone.
  const numbers = Array.from({ length: 26 }, (_, index) => index + 1).filter((number) => number !== 25);
  expect(Object.keys(INVARIANTS)).toEqual(numbers.map((number) => `I${number}`));
});
