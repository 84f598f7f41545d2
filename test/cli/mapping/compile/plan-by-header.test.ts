import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { NO_CELL } from '../../../../src/cli/mapping/column-map.ts';
import { fieldNames } from '../../../../src/cli/mapping/language/fields.ts';
import { otherResourceOf, planByHeader } from '../../../../src/cli/mapping/compile/plan-by-header.ts';
import {
  DESCRIPTORS,
  RESOURCES,
  type Descriptors,
  type Resource,
} from '../../../../src/core/contract/resources.ts';
import { sentenceOf } from '../../../../src/core/error-codes/sentence.ts';
import { attrOfPath } from '../../../../src/core/problem.ts';
import { checkRecord } from '../../../../src/core/rules/record.ts';
import { TODAY } from '../../../support/push-records.ts';

const ACCOUNT = ['import_supplier', 'external_account_number'];
const REQUIRED = [...ACCOUNT, 'transaction_id', 'transaction_date', 'amount', 'type'];

/** The problems of a header, as `error header_unknown 3`, with column numbers as people count them. */
function problemsOf(header: readonly string[], resource: Resource = 'transactions', supplier?: string) {
  return planByHeader(resource, header, supplier).problems.map(
    ({ problem: { severity, code, path }, cell }) =>
      `${severity} ${code} ${attrOfPath(path)}${cell?.column ?? null}`,
  );
}

function wordsOf(header: readonly string[], resource: Resource = 'transactions'): readonly string[] {
  return planByHeader(resource, header, 'ACME').problems.map(({ problem }) =>
    sentenceOf(problem.code, problem.facts),
  );
}

/** The candidate of one row. */
function candidateOf(cells: Readonly<Record<string, string>>, resource: Resource, supplier?: string) {
  const { plan } = planByHeader(resource, Object.keys(cells), supplier);
  const row = { firstLine: 2, lastLine: 2, byteStart: 0, byteEnd: 0, cells: Object.values(cells) };
  const candidate = plan.candidateOf([row]);
  // The path leads to the column, so no problem names a cell of its own.
  expect(candidate.problems.map(({ cell }) => cell)).toEqual(candidate.problems.map(() => null));
  // No step is between a cell and its field.
  expect([candidate.parts, candidate.sourceCells]).toEqual([[], []]);
  return { ...candidate, problems: candidate.problems.map(({ problem }) => problem) };
}

const recordText = (cells: Readonly<Record<string, string>>, resource: Resource = 'transactions'): string =>
  JSON.stringify(candidateOf(cells, resource).record);

describe('columns of another resource', () => {
  test.each([
    ['notes', REQUIRED, 'transactions'],
    ['statements', [...ACCOUNT, 'body', 'created_at'], 'notes'],
    ['transactions', [...ACCOUNT, 'vendor', 'reference', 'type'], 'payment-instructions'],
    ['transactions', ['transaction_id', 'transaction_date', 'amount', 'type'], undefined],
    ['notes', [...REQUIRED, 'body'], undefined],
    ['notes', [...REQUIRED, 'document_paths.0.document_path'], undefined],
    ['transactions', [...ACCOUNT, 'body', 'amount'], undefined],
    ['notes', [...ACCOUNT, 'transaction_id', 'amount', 'reference', 'reason'], undefined],
    ['notes', ['a', 'b'], undefined],
  ] as const)('of a file of %s with %j are those of %s', (named, header, found) => {
    expect(otherResourceOf(header, named)).toBe(found);
  });
});

test('a row of data is no header, and its cells are not repeated', () => {
  const found = problemsOf(['ACME', '10010023417', 'T-1', '2026-01-05', '5.00', '5.00', '', 'CREDIT']);
  expect(new Set(found)).toEqual(new Set(['error column_missing null']));
});

test.each([
  [['10010023417'], ['warning header_unknown 1']],
  [
    ['Konto', 'Betrag'],
    ['warning header_unknown 1', 'warning header_unknown 2'],
  ],
  [
    ['ammount', '5'],
    ['error header_unknown 1', 'warning header_unknown 2'],
  ],
  [['amount', '5'], ['warning header_unknown 2']],
  [['', '5'], []],
])('%j is a header or a row of data: %j', (header, expected) => {
  const found = problemsOf(header).filter((each) => !each.startsWith('error column_missing'));
  expect(found).toEqual(expected);
});

describe('a header whose names are those of the interface', () => {
  test.each(RESOURCES)('is understood for %s in any order', (resource) => {
    const header = fieldNames(resource).toReversed();
    const { plan, problems } = planByHeader(resource, header, undefined);
    expect(problems).toEqual([]);
    expect(plan.columns.map(({ index, header: name, attr }) => [index, name, attr])).toEqual(
      header.map((name, index) => [index, name, name]),
    );
  });
});

describe('columns that are missing', () => {
  test('are all reported at once', () => {
    expect(problemsOf([])).toEqual(REQUIRED.map(() => 'error column_missing null'));
    const { problems } = planByHeader('statements', ['statement_id'], undefined);
    expect(problems.map(({ problem }) => problem.facts['field'])).toEqual([
      ...ACCOUNT,
      'bill_period_from_date',
      'bill_period_to_date',
    ]);
  });

  test('are reported with the flag that gives the supplier', () => {
    const [supplier, account] = planByHeader('notes', [], undefined).problems;
    expect([supplier, account].map((each) => each!.problem.facts)).toEqual([
      { field: 'import_supplier', hint: ', or give --supplier' },
      { field: 'external_account_number', hint: '' },
    ]);
  });
});

describe('a column that is no field', () => {
  test.each([
    ['ammount', '; did you mean `amount`?'],
    ['Amount', '; did you mean `amount`?'],
    [' amount', '; did you mean `amount`?'],
    ['transaction_ID', '; did you mean `transaction_id`?'],
    ['transaction-date', '; did you mean `transaction_date`?'],
    ['line_item.0.net_amount', '; did you mean `line_items`?'],
    ['line_items.0.net_amuont', ''],
    ['line_items.00.net_amount', ''],
    ['line_items.1000.net_amount', ''],
    ['line_items.x.net_amount', ''],
    ['line_items.0.units.a', ''],
    ['amount.0', ''],
    ['amount.__proto__', ''],
  ])('stops the run as a typo: %j', (name, suggestion) => {
    expect(problemsOf([...REQUIRED, name])).toEqual(['error header_unknown 7']);
    expect(wordsOf([...REQUIRED, name])).toEqual([
      `the header \`${name}\` is not a field of transactions${suggestion}`,
    ]);
  });

  test.each([
    'internal_comment',
    'Kundennummer',
    '__proto__',
    'constructor',
    'toString',
    'length',
    '0',
    '.',
    '😀',
  ])('of the supplier is a warning and left out: %j', (name) => {
    expect(problemsOf([...REQUIRED, name])).toEqual(['warning header_unknown 7']);
    const { plan } = planByHeader('transactions', [...REQUIRED, name], undefined);
    const row = { firstLine: 2, lastLine: 2, byteStart: 0, byteEnd: 0 };
    const { record } = plan.candidateOf([{ ...row, cells: [...REQUIRED.map(() => 'x'), 'secret'] }]);
    expect(JSON.stringify(record)).not.toContain('secret');
    expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
  });
});

describe('a header that names something twice', () => {
  test('is refused when a name occurs twice', () => {
    const { problems } = planByHeader('transactions', [...REQUIRED, 'amount'], undefined);
    expect(problems).toEqual([
      {
        problem: expect.objectContaining({
          code: 'header_duplicate',
          facts: { reason: 'the header `amount` occurs twice, first in column 5' },
        }) as unknown,
        cell: { ...NO_CELL, column: 7, header: 'amount' },
      },
    ]);
  });

  test('is refused for each empty name', () => {
    expect(problemsOf([...REQUIRED, '', ''])).toEqual([
      'error header_name_empty 7',
      'error header_name_empty 8',
    ]);
  });

  test.each([
    [['line_items', 'line_items.0.net_amount']],
    [['line_items.0.net_amount', 'line_items']],
    [['line_items.0', 'line_items.0.units.1']],
    [['line_items.0.units', 'line_items.0.units.0']],
  ])('is refused when a list and a part of it have columns: %j', (names) => {
    expect(problemsOf([...REQUIRED, ...names])).toEqual([
      expect.stringMatching(/^error header_duplicate [78]$/),
    ]);
  });
});

describe('a row', () => {
  test('becomes an account and the fields of a record, each in its kind', () => {
    const { account, record, problems } = candidateOf(
      {
        import_supplier: 'ACME',
        external_account_number: '00123',
        transaction_id: '007',
        transaction_date: '2026-01-05',
        amount: '10.10',
        type: 'CHARGE',
        note: ' kept ',
      },
      'transactions',
    );
    expect(problems).toEqual([]);
    expect(account).toEqual({ import_supplier: 'ACME', external_account_number: '00123' });
    expect(JSON.stringify(record)).toBe(
      '{"transaction_id":"007","transaction_date":"2026-01-05","amount":10.10,"type":"CHARGE","note":" kept "}',
    );
  });

  test.each([
    [{ 'line_items.0.net_amount': '', 'line_items.1.net_amount': '1' }, 'list_unreadable line_items.0', 1],
    [{ 'line_items.0.units.0': '', 'line_items.0.units.1': '5' }, 'list_unreadable line_items.0.units.0', 1],
  ])(
    'with a hole in a list is refused, because the items after it would move: %j',
    (cells, problem, index) => {
      const { problems } = candidateOf(cells, 'transactions');
      expect(problems.map(({ code, path }) => `${code} ${attrOfPath(path)}`)).toEqual([problem]);
      expect(problems[0]!.facts['reason']).toContain(`item ${index} of the list is empty`);
    },
  );
});

describe('a cell with JSON', () => {
  test('is a list with its digits kept', () => {
    const cells = { 'line_items.0.units': '[10234.50, 10382.1]', tax_items: '[{"amount": 9.240}]' };
    expect(recordText(cells)).toBe(
      '{"line_items":[{"units":[10234.50,10382.1]}],"tax_items":[{"amount":9.240}]}',
    );
  });

  test.each([
    ['broken', '[1,', 'tax_items'],
    ['text that is none', 'none', 'tax_items'],
    ['with a key that occurs twice', '[{"amount":1,"amount":2}]', 'tax_items'],
  ])('is refused when it is %s, without showing it', (_, cell, attr) => {
    const { problems } = candidateOf({ [attr]: cell }, 'transactions');
    expect(problems.map(({ code, path }) => `${code} ${attrOfPath(path)}`)).toEqual([`json_invalid ${attr}`]);
    expect(JSON.stringify(problems[0]!.facts)).not.toContain(JSON.stringify(cell).slice(1, -1));
  });
});

describe('the supplier', () => {
  const cells = (supplier?: string): Record<string, string> => ({
    ...(supplier === undefined ? {} : { import_supplier: supplier }),
    external_account_number: '1',
    body: 'x',
  });

  test.each([
    ['from the column', 'ACME', undefined, 'ACME', []],
    ['from the command line', undefined, 'ACME', 'ACME', []],
    ['from both, when they agree', 'ACME', 'ACME', 'ACME', []],
    ['from the command line, where the cell is empty', '', 'ACME', 'ACME', []],
    ['from both, when they differ', 'OTHER', 'ACME', undefined, ['mixed_suppliers import_supplier']],
    ['from both, when they differ in case', 'acme', 'ACME', undefined, ['mixed_suppliers import_supplier']],
    ['from neither', undefined, undefined, undefined, []],
  ])('%s', (_, cell, given, expected, problems) => {
    const candidate = candidateOf(cells(cell), 'notes', given);
    expect(candidate.problems.map(({ code, path }) => `${code} ${attrOfPath(path)}`)).toEqual(problems);
    if (problems.length === 0) expect(candidate.account.import_supplier).toBe(expected);
    expect(candidate.record).toEqual({ body: 'x' });
  });
});

describe('a field of the interface that the contract does not have', () => {
  const { notes } = DESCRIPTORS;
  const narrower = { ...notes, schema: z.omit(notes.schema as z.ZodMiniObject, { document_paths: true }) };
  const descriptors = { ...DESCRIPTORS, notes: narrower } as unknown as Descriptors;

  test('is read, so that its values are refused and not lost, and empty cells are nothing', () => {
    const header = [...ACCOUNT, 'body', 'document_paths.0.document_path', 'own'];
    const { plan, problems } = planByHeader('notes', header, 'ACME', { descriptors });
    expect(problems.map(({ problem }) => sentenceOf(problem.code, problem.facts))).toEqual([
      'the header `own` is not a field of notes; it is left out',
    ]);
    const codesOf = (path: string): readonly string[] => {
      const cells = ['ACME', 'A-1', 'x', path, ''];
      const { record } = plan.candidateOf([{ firstLine: 2, lastLine: 2, byteStart: 0, byteEnd: 0, cells }]);
      return checkRecord('notes', record, { today: TODAY, descriptors }).problems.map(
        (problem) => `${problem.code} ${attrOfPath(problem.path)}`,
      );
    };
    expect(codesOf('a.pdf')).toEqual(['unexpected_field document_paths']);
    expect(codesOf('')).toEqual([]);
  });

  test.each(['document_path', 'document_paths.0.path'])('is the one that %s was meant to be', (name) => {
    const { problems } = planByHeader('notes', [...ACCOUNT, 'body', name], 'ACME', { descriptors });
    expect(problems.map(({ problem: { severity, code } }) => `${severity} ${code}`)).toEqual([
      'error header_unknown',
    ]);
  });
});
