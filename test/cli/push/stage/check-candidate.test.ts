import { describe, expect, test } from 'vitest';
import { NO_CELL } from '../../../../src/cli/mapping/column-map.ts';
import type { Candidate, CellProblem } from '../../../../src/cli/mapping/mapping-plan.ts';
import {
  checkCandidate,
  countedRecord,
  looksLikeRecord,
} from '../../../../src/cli/push/stage/check-candidate.ts';
import type { StageJob } from '../../../../src/cli/push/stage-job.ts';
import { DESCRIPTORS, type Resource } from '../../../../src/core/contract/resources.ts';
import { failure, warning } from '../../../../src/core/problem.ts';
import { candidate as dataOf, drafts, recordOf, TODAY, withField } from '../../../support/push-records.ts';

type Job = Pick<StageJob, 'resource' | 'check' | 'earliestDate' | 'documents'>;

const ACCOUNT = { import_supplier: 'ACME', external_account_number: '1001' };
const CELL = { ...NO_CELL, column: 4, header: 'x' };

const jobOf = (resource: Resource, changes: Partial<Job> = {}): Job => ({
  resource,
  check: { today: TODAY },
  earliestDate: '1970-01-01',
  ...changes,
});

const candidateOf = (draft: unknown, changes: Partial<Candidate> = {}): Candidate => ({
  account: ACCOUNT,
  record: dataOf(draft),
  problems: [],
  parts: [],
  sourceCells: [],
  ...changes,
});

/** The problems of a candidate, as `error required amount`, and whether its record may be sent. */
function checked(resource: Resource, candidate: Candidate, changes: Partial<Job> = {}) {
  const { record, problems } = checkCandidate(jobOf(resource, changes), candidate);
  return {
    isSent: record !== undefined,
    problems: problems.map(
      ({ problem, cell }) =>
        `${problem.severity} ${problem.code} ${problem.path.join('.')}${cell === null ? '' : ` at ${cell.column}`}`,
    ),
  };
}

const unread = (path: string, code: 'invalid' | 'required' = 'invalid'): CellProblem => ({
  problem: failure(code, [path]),
  cell: CELL,
});

const [NOTE, STATEMENT] = [drafts.notes, drafts.statements];

describe('a candidate', () => {
  test('without a problem is its record', () => {
    expect(checkCandidate(jobOf('statements'), candidateOf(STATEMENT))).toEqual({
      record: recordOf('statements', STATEMENT),
      problems: [],
    });
  });

  test('with only warnings is sent', () => {
    const problems = [{ problem: warning('leading_zeros', ['gross_amount']), cell: CELL }];
    expect(checked('statements', candidateOf(STATEMENT, { problems }))).toEqual({
      isSent: true,
      problems: ['warning leading_zeros gross_amount at 4'],
    });
  });

  test('with a cell that could not be read is not sent, even if its record has all fields', () => {
    const problems = [
      { problem: warning('leading_zeros', ['gross_amount']), cell: CELL },
      unread('statement_path'),
    ];
    expect(checked('statements', candidateOf(STATEMENT, { problems }))).toEqual({
      isSent: false,
      problems: ['warning leading_zeros gross_amount at 4', 'error invalid statement_path at 4'],
    });
  });

  test('has an unreadable value reported once, and not as missing', () => {
    const record = withField(STATEMENT, 'bill_period_to_date', undefined);
    const problems = [unread('bill_period_to_date')];
    expect(checked('statements', candidateOf(record, { problems })).problems).toEqual([
      'error invalid bill_period_to_date at 4',
    ]);
  });

  test('has a missing value reported beside a warning about it', () => {
    const record = withField(STATEMENT, 'bill_period_to_date', undefined);
    const problems = [{ problem: warning('leading_zeros', ['bill_period_to_date']), cell: CELL }];
    expect(checked('statements', candidateOf(record, { problems })).problems).toEqual([
      'warning leading_zeros bill_period_to_date at 4',
      'error required bill_period_to_date',
    ]);
  });

  test('has a problem of its row reported beside every other problem', () => {
    const record = withField(STATEMENT, 'statement_id', undefined);
    const problems = [{ problem: failure('row_too_short', []), cell: CELL }];
    expect(checked('statements', candidateOf(record, { problems })).problems).toEqual([
      'error row_too_short  at 4',
      'error required statement_id',
    ]);
  });

  test('needs an account', () => {
    const account = { import_supplier: 'ACME' } as Candidate['account'];
    expect(checked('statements', candidateOf(STATEMENT, { account }))).toEqual({
      isSent: false,
      problems: ['error required external_account_number'],
    });
  });

  test('has the damage of its source cells reported at them', () => {
    const sourceCells = [
      { path: ['statement_id'], role: 'name', text: '3.1E+11', cell: CELL, isReplaced: false } as const,
    ];
    expect(checked('statements', candidateOf(STATEMENT, { sourceCells }))).toEqual({
      isSent: false,
      problems: ['error spreadsheet_damage statement_id at 4'],
    });
  });
});

describe('an implausible value', () => {
  const early = withField(NOTE, 'created_at', '1920-01-01T00:00:00Z');

  test('stops the record', () => {
    expect(checked('notes', candidateOf(early))).toEqual({
      isSent: false,
      problems: ['error date_implausible created_at'],
    });
  });

  test('is compared with the days of the job', () => {
    expect(checked('notes', candidateOf(early), { earliestDate: '1919-12-31' }).problems).toEqual([]);
    const later = withField(withField(NOTE, 'unpin_at', undefined), 'created_at', '2027-11-22T00:00:00Z');
    expect(checked('notes', candidateOf(later)).problems).toEqual(['error date_implausible created_at']);
    expect(checked('notes', candidateOf(later), { check: { today: '2026-11-22' } }).problems).toEqual([]);
  });

  test('is not said of a cell that has an error already', () => {
    const problems = [unread('created_at')];
    expect(checked('notes', candidateOf(early, { problems })).problems).toEqual([
      'error invalid created_at at 4',
    ]);
  });

  test('that stops the record is said beside a warning', () => {
    const problems = [{ problem: warning('leading_zeros', ['created_at']), cell: CELL }];
    expect(checked('notes', candidateOf(early, { problems })).problems).toEqual([
      'warning leading_zeros created_at at 4',
      'error date_implausible created_at',
    ]);
  });

  test('that is a warning is not said beside another warning', () => {
    const record = withField(NOTE, 'body', ' Called ');
    expect(checked('notes', candidateOf(record)).problems).toEqual(['warning text_has_blank_ends body']);
    const problems = [{ problem: warning('leading_zeros', ['body']), cell: CELL }];
    expect(checked('notes', candidateOf(record, { problems })).problems).toEqual([
      'warning leading_zeros body at 4',
    ]);
  });

  test('is said although another cell has an error', () => {
    const problems = [unread('unpin_at')];
    expect(checked('notes', candidateOf(early, { problems })).problems).toEqual([
      'error invalid unpin_at at 4',
      'error date_implausible created_at',
    ]);
  });

  test('is none that the operator removes', () => {
    const trimming = { ...DESCRIPTORS, notes: { ...DESCRIPTORS.notes, trims: true as const } };
    const check = { today: TODAY, descriptors: trimming };
    const blank = withField(NOTE, 'body', ' Called ');
    expect(checked('notes', candidateOf(blank), { check })).toEqual({ isSent: true, problems: [] });
    const lost = withField(early, 'body', 'Called');
    expect(checked('notes', candidateOf(lost), { check }).problems).toEqual([
      'error date_implausible created_at',
    ]);
  });
});

describe('the documents of a record', () => {
  const documents: StageJob['documents'] = {
    name: 'list.txt',
    has: (path) => path === 'letters/2.pdf',
    counts: () => ({ listed: 1, unused: 0 }),
  };
  const naming = (...paths: readonly string[]) =>
    candidateOf(
      withField(
        NOTE,
        'document_paths',
        paths.map((document_path) => ({ document_path })),
      ),
    );

  test('have to be listed, each of them', () => {
    const { record, problems } = checkCandidate(
      jobOf('notes', { documents }),
      naming('letters/1.pdf', 'letters/2.pdf'),
    );
    expect(record).toBeUndefined();
    expect(problems).toEqual([
      {
        problem: failure('document_not_listed', ['document_paths', 0, 'document_path'], {
          listing: 'list.txt',
        }),
        cell: null,
      },
    ]);
  });

  test('that are listed are no problem', () => {
    expect(checked('notes', naming('letters/2.pdf'), { documents })).toEqual({ isSent: true, problems: [] });
  });

  test('are not looked up for a record that is invalid', () => {
    const invalid = naming('letters/1.pdf');
    const record = withField(invalid.record as never, 'is_pinned', 'perhaps');
    expect(checked('notes', { ...invalid, record }, { documents }).problems).toEqual([
      'error invalid is_pinned',
    ]);
  });
});

describe('a row that may be data', () => {
  test('looks like a record when it can be read and no field is missing', () => {
    const looks = (draft: unknown, problems: readonly CellProblem[] = []): boolean =>
      looksLikeRecord(jobOf('statements'), candidateOf(draft, { problems }));
    expect(looks(STATEMENT)).toBe(true);
    expect(looks(STATEMENT, [{ problem: warning('leading_zeros', ['number']), cell: CELL }])).toBe(true);
    // A rule between fields is broken.
    expect(looks(withField(STATEMENT, 'bill_period_to_date', '2024-12-31'))).toBe(true);
    expect(looks(STATEMENT, [unread('number')])).toBe(false);
    expect(
      looks(STATEMENT, [unread('number'), { problem: warning('leading_zeros', ['number']), cell: CELL }]),
    ).toBe(false);
    expect(looks(withField(STATEMENT, 'statement_id', undefined))).toBe(false);
    expect(looks(withField(withField(STATEMENT, 'statement_id', undefined), 'gross_amount', 'x'))).toBe(
      false,
    );
  });
});

describe('a record is counted', () => {
  const position = { source: 1, firstLine: 2, lastLine: 2, byteStart: 0, byteEnd: 9 };

  test.each<readonly [Resource, object]>([
    ['transactions', { id: 'T-1', type: 'SUPPLY_CHARGE', amount: '53.24' }],
    ['statements', { id: 'S-1', type: null, amount: '38352' }],
    ['payment-instructions', { id: 'pi_1', type: 'CARD', amount: null }],
    ['notes', { id: null, type: null, amount: null }],
  ])('with the id, type and amount of %s', (resource, expected) => {
    const record = recordOf(resource, drafts[resource]);
    expect(countedRecord(resource, { account: ACCOUNT, record, position })).toEqual({
      position,
      account: ACCOUNT,
      identity: DESCRIPTORS[resource].identity(record as never),
      ...expected,
    });
  });

  test('without an amount that it does not have', () => {
    const record = recordOf('statements', withField(STATEMENT, 'gross_amount', undefined));
    expect(countedRecord('statements', { account: ACCOUNT, record, position }).amount).toBeNull();
  });
});
