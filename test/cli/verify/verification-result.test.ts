import { describe, expect, test } from 'vitest';
import { PLAIN } from '../../../src/cli/output/text/paint.ts';
import { ROWS_APART, type RowsApart } from '../../../src/cli/runs/sent-part.ts';
import { shownCohortVerification } from '../../../src/cli/verify/cohort-verification-result.ts';
import {
  apartText,
  exitOfVerification,
  verificationDocument,
  verificationText,
  type ComparedSide,
  type ListedDifference,
  type VerificationResult,
} from '../../../src/cli/verify/verification-result.ts';
import {
  cohortVerificationDocument,
  verificationDocument as schema,
} from '../../../src/cli/verify/verification-schema.ts';

const [A, B] = ['0123456789abcdef'.repeat(4), 'f'.repeat(64)] as const;
const NOBODY = { count: 0, sum: null, sha256: A };
const EQUAL = {
  type: 'CREDIT',
  source: { count: 2, sum: '40.40', sha256: A },
  found: { count: 2, sum: '40.40', sha256: A },
  other: NOBODY,
};
const DIFFERENT = {
  type: null,
  source: { count: 1, sum: null, sha256: A },
  found: { count: 1, sum: null, sha256: B },
  other: NOBODY,
};
const NONE_APART = Object.fromEntries(ROWS_APART.map((kind) => [kind, 0])) as RowsApart;

function sideOf({
  totals = {},
  ...fields
}: Partial<Omit<ComparedSide, 'totals'>> & {
  totals?: Partial<ComparedSide['totals']>;
} = {}): ComparedSide {
  return {
    with: 'run',
    names: ['r1'],
    totals: {
      types: [EQUAL],
      accounts: { total: 1, equal: 1 },
      differingAccounts: [],
      errors: 0,
      warnings: 0,
      byCode: {},
      repeats: 0,
      others: [],
      ...totals,
    },
    differences: [],
    apart: NONE_APART,
    confirmedBy: [],
    proven: [],
    moved: 0,
    chains: [],
    notes: [],
    ...fields,
  };
}

function resultOf(fields: Partial<VerificationResult> = {}): VerificationResult {
  return {
    resource: 'transactions',
    rows: { read: 2, valid: 2, invalid: 0, filtered: 0 },
    invalidRows: [],
    sides: [sideOf()],
    differs: false,
    isDamaged: false,
    apart: NONE_APART,
    confirmedBy: [],
    ending: { exit: 'OK', resumable: false, next: null },
    next: null,
    ...fields,
  };
}

const DIFFERENCE: ListedDifference = {
  code: 'record_differs',
  severity: 'error',
  file: 't.csv',
  line: 2,
  detail: 'the record there differs from the row: amount',
  fields: ['amount'],
  run: null,
  batch: null,
  attempts: null,
  http_status: null,
  answered_at: null,
  ledger_line: null,
};
const HELP =
  'help: record_differs: Find out which side is right. A changed file needs a run of its own; a changed run file proves nothing, so restore it.\n';

const textOf = (fields: Partial<VerificationResult>) => verificationText(resultOf(fields), PLAIN);
/** The text of one side. */
const sideText = (side: ComparedSide) =>
  textOf({ sides: [side] }).replace('transactions: 2 rows read: 2 valid\n', '');

describe('the text', () => {
  test('says that nothing differs, and what that proves', () => {
    expect(textOf({})).toBe(`transactions: 2 rows read: 2 valid

compared with the run r1
  type    rows  there   read  there  SHA-256 of ids and contents
  CREDIT     2      2  40.40  40.40  0123456789abcdef
1 account, 1 with equal totals and content
nothing differs: source = what was sent = what was answered. The platform has no endpoint to read records back, so this does not prove what it stores now.
`);
  });

  test('counts rows that are invalid or left out, and names the first ones and the next command', () => {
    const invalid = { ...DIFFERENCE, code: 'row_not_valid', detail: 'no\tdate' } as const;
    const text = textOf({
      rows: { read: 4, valid: 1, invalid: 2, filtered: 1 },
      invalidRows: [invalid],
      sides: [],
      next: 'dataimport report\n',
    });
    expect(text).toBe(`transactions: 4 rows read: 1 valid, 2 invalid, 1 left out
t.csv:2 error row_not_valid no\\tdate
… and 1 more (--json lists up to 1000)
help: row_not_valid: Type \`dataimport check\` with the same files for the problems of the row.
next: dataimport report\\n
`);
  });

  test('names each difference with its request, and each next step once', () => {
    const differences = [
      { ...DIFFERENCE, run: 'r1', batch: 3, attempts: 2, http_status: 201, ledger_line: 9 },
      { ...DIFFERENCE, line: 3, attempts: 1 },
      { ...DIFFERENCE, severity: 'warning', code: 'record_not_arrived', file: null, line: null, detail: 'x' },
    ] as const;
    const totals = { types: [DIFFERENT], accounts: { total: 2, equal: 0 }, errors: 2, warnings: 1 };
    expect(sideText(sideOf({ with: 'ledger', names: ['a', 'b\n'], totals, differences }))).toBe(`
compared with the ledger a, b\\n
  type  rows  there  read  there  SHA-256 of ids and contents
  all      1      1               0123456789abcdef <> ffffffffffffffff
2 accounts, 0 with equal totals and content
t.csv:2 error record_differs the record there differs from the row: amount (run r1, batch 3, 2 attempts, status 201, ledger line 9)
t.csv:3 error record_differs the record there differs from the row: amount
warning record_not_arrived x
${HELP}2 differences: this does not prove that everything arrived
`);
  });

  test('lists twenty differences', () => {
    const differences = Array.from({ length: 25 }, (_, index) => ({ ...DIFFERENCE, line: index + 2 }));
    const lines = sideText(sideOf({ totals: { errors: 30 }, differences })).split('\n');
    expect(lines.filter((line) => line.startsWith('t.csv:'))).toHaveLength(20);
    expect(lines).toContain('… and 10 more (--json lists up to 1000)');
    const all = sideText(sideOf({ totals: { errors: 20 }, differences: differences.slice(0, 20) }));
    expect(all).not.toContain('more');
  });

  test('names the records that no row explains, with their origin, and counts all but those of the platform', () => {
    const others = [
      { kind: 'run', run: 'r9', type: 'CREDIT', count: 3, sum: '60.60' },
      { kind: 'platform', run: null, type: null, count: 1, sum: null },
    ] as const;
    expect(sideText(sideOf({ totals: { types: [], others } }))).toBe(`
compared with the run r1
1 account, 1 with equal totals and content
3 CREDIT records that no row explains, together 60.60: sent by the run r9
1 record that no row explains: added by the platform when it moved a date
nothing differs in the rows; 3 records that no row explains are there as well
`);
    const one = { ...others[0], count: 1 };
    expect(sideText(sideOf({ totals: { others: [one] } }))).toContain(
      '\nnothing differs in the rows; 1 record that no row explains is there as well\n',
    );
  });

  test('says what else is known of the rows', () => {
    const side = sideOf({
      with: 'asking',
      totals: { types: [], repeats: 1 },
      proven: [{}, {}] as never,
      moved: 1,
      notes: ['a fact'],
      apart: { ...NONE_APART, left: 2 },
    });
    expect(sideText(side)).toBe(`
asked the platform again, as the run r1
1 account, 1 with equal totals and content
1 row of equal records: the platform keeps one record of them
2 rows that no answer proves are in the ledger with equal content
1 date moved into the open statement period
a fact
nothing differs in the rows that were compared, 2 rows were not sent yet
`);
    expect(sideText(sideOf({ proven: [{}] as never }))).toContain(
      '\n1 row that no answer proves is in the ledger with equal content\n',
    );
  });

  test('says of each run whether its chain holds', () => {
    const chains = [
      { run: 'r1', head: 'h1', links: 1, broken: null },
      { run: 'r2', head: 'h2', links: 2, broken: 'link 2' },
    ];
    expect(sideText(sideOf({ totals: { types: [] }, chains }))).toBe(`
compared with the run r1
1 account, 1 with equal totals and content
the chain of r1 holds: h1, 1 link
error chain_broken the chain of a run does not hold (r2): link 2
help: chain_broken: Somebody has changed the run file after it was sent. Take the run file from a copy, and compare the platform itself.
1 difference: this does not prove that everything arrived
`);
  });
});

test.each([
  ['left', ', 1 row was not sent yet', ', 2 rows were not sent yet'],
  ['refused', ', 1 row was refused by the platform', ', 2 rows were refused by the platform'],
  [
    'conflicting',
    ', 1 row is there with other content or on another account',
    ', 2 rows are there with other content or on another account',
  ],
  ['unproven', ', 1 row has to be compared by hand', ', 2 rows have to be compared by hand'],
  [
    'uncompared',
    ', 1 row is there already, and nobody has compared it',
    ', 2 rows are there already, and nobody has compared them',
  ],
  [
    'confirmed',
    ', 1 row was confirmed by Ann, Bob, and is not compared',
    ', 2 rows were confirmed by Ann, Bob, and are not compared',
  ],
] as const)('rows apart that are %s are counted in words', (kind, one, two) => {
  const words = (count: number) =>
    apartText({ apart: { ...NONE_APART, [kind]: count }, confirmedBy: ['Ann', 'Bob'] });
  expect([words(0), words(1), words(2)]).toEqual(['', one, two]);
});

test.each([
  [{ isDamaged: true, differs: true }, 'RUN_FILE'],
  [{ isDamaged: false, differs: true }, 'UNRECONCILED'],
  [{ isDamaged: false, differs: false }, 'PARTIAL'],
] as const)('a comparison with %j ends with %s', (found, exit) => {
  expect(exitOfVerification({ ...found, ending: { exit: 'PARTIAL', resumable: false, next: null } })).toBe(
    exit,
  );
});

describe('the document', () => {
  const SIDE = {
    with: 'run',
    names: ['r1'],
    equal: true,
    proves:
      'source = what was sent = what was answered. The platform has no endpoint to read records back, so this does not prove what it stores now.',
    types: [{ type: 'CREDIT', source: EQUAL.source, found: EQUAL.found }],
    accounts: { total: 1, equal: 1 },
    differing_accounts: [],
    chains: [],
    rows_apart: NONE_APART,
    confirmed_by: [],
    rows_proven: 0,
    dates_moved: 0,
    repeated_rows: 0,
    other_records: [],
    by_code: {},
    differences: [],
    errors_total: 0,
    warnings_total: 0,
  };
  const documentOf = (side: ComparedSide) => {
    const document = verificationDocument(resultOf({ sides: [side] }), 'OK');
    schema.parse(document);
    return (document as unknown as { comparisons: object[] }).comparisons[0]!;
  };

  test('has what the text says', () => {
    const fields = { next: 'dataimport report', invalidRows: [DIFFERENCE] };
    expect(verificationDocument(resultOf(fields), 'UNRECONCILED')).toEqual({
      version: 1,
      resource: 'transactions',
      exit: { code: 11, name: 'UNRECONCILED' },
      rows: { read: 2, valid: 2, invalid: 0, filtered: 0 },
      invalid_rows: [DIFFERENCE],
      comparisons: [SIDE],
      next: 'dataimport report',
    });
  });

  test('has the accounts and types that differ, and what is there counts records of other origins', () => {
    const others = [{ kind: 'run', run: 'r9', type: 'CREDIT', count: 1, sum: '1.00' }] as const;
    const withOther = { ...EQUAL, other: { count: 1, sum: '1.00', sha256: B } };
    const account = { import_supplier: 'ACME', external_account_number: '1001' };
    const side = sideOf({
      totals: {
        types: [withOther],
        differingAccounts: [{ ...account, types: [EQUAL, DIFFERENT] }],
        errors: 1,
        warnings: 2,
        byCode: { record_differs: 1 },
        repeats: 3,
        others,
      },
      differences: [DIFFERENCE],
      proven: [{}] as never,
      moved: 4,
      confirmedBy: ['Ann'],
      apart: { ...NONE_APART, confirmed: 5 },
    });
    expect(documentOf(side)).toEqual({
      ...SIDE,
      equal: false,
      proves: null,
      types: [{ type: 'CREDIT', source: EQUAL.source, found: { count: 3, sum: '41.40', sha256: A } }],
      differing_accounts: [
        { ...account, types: [{ type: null, source: DIFFERENT.source, found: DIFFERENT.found }] },
      ],
      rows_apart: { ...NONE_APART, confirmed: 5 },
      confirmed_by: ['Ann'],
      rows_proven: 1,
      dates_moved: 4,
      repeated_rows: 3,
      other_records: others,
      by_code: { record_differs: 1 },
      differences: [DIFFERENCE],
      errors_total: 1,
      warnings_total: 2,
    });
  });

  test('proves nothing with a broken chain, or with rows apart', () => {
    const broken = { run: 'r1', head: 'h', links: 1, broken: 'link 1' };
    expect(documentOf(sideOf({ chains: [broken] }))).toMatchObject({ equal: true, proves: null });
    expect(documentOf(sideOf({ chains: [{ ...broken, broken: null }] }))).toMatchObject({
      proves: SIDE.proves,
    });
    expect(documentOf(sideOf({ apart: { ...NONE_APART, left: 1 } }))).toMatchObject({ proves: null });
  });
});

describe('a cohort', () => {
  const part = resultOf({ next: 'of the part' });
  const shown = (fields: object) =>
    shownCohortVerification({
      name: 'night\n',
      parts: [part, part],
      differs: false,
      isDamaged: false,
      apart: NONE_APART,
      confirmedBy: [],
      ending: { exit: 'OK', resumable: false, next: null },
      next: null,
      ...fields,
    });
  const textOfCohort = (fields: object) =>
    (shown(fields).text({ paint: () => PLAIN } as never) as [string, string][])
      .map(([stream, text]) => `${stream}: ${text}`)
      .join('|');
  const ofPart = textOf({});

  test('has the text of each resource without its next step, and one verdict', () => {
    expect(textOfCohort({})).toBe(
      `stdout: ${ofPart}\n${ofPart}\n|stdout: cohort night\\n: nothing differs\n|stdout: `,
    );
    const apart = { ...NONE_APART, left: 1 };
    expect(textOfCohort({ differs: true, apart, next: 'dataimport\n' })).toBe(
      `stdout: ${ofPart}\n${ofPart}\n|stdout: cohort night\\n: something differs, 1 row was not sent yet\n|stdout: next: dataimport\\n\n`,
    );
  });

  test('has the document of each resource, with its own exit', () => {
    const damaged = resultOf({ isDamaged: true });
    const document = shown({ parts: [part, damaged], next: 'n' }).document('RUN_FILE');
    cohortVerificationDocument.parse(document);
    expect(document).toEqual({
      version: 1,
      cohort: 'night\n',
      exit: { code: 8, name: 'RUN_FILE' },
      resources: [verificationDocument(part, 'OK'), verificationDocument(damaged, 'RUN_FILE')],
      next: 'n',
    });
  });
});
