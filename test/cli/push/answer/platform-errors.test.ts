import { describe, expect, test } from 'vitest';
import { classify } from '../../../../src/cli/push/answer/classify.ts';
import type { LocatedProblem } from '../../../../src/cli/push/ports/report.ts';
import { locatePlatformError } from '../../../../src/cli/push/answer/platform-errors.ts';
import { withUsualWords } from '../../../../src/core/error-codes/sentence.ts';
import { ERROR_CODES } from '../../../../src/core/error-codes/table.ts';
import { DESCRIPTORS, RESOURCES, type Resource } from '../../../../src/core/contract/resources.ts';
import { answer, batchOf, batchWith } from '../../../support/push-batch.ts';
import { transactions } from '../../../support/push-records.ts';
import { fieldNames } from '../../../../src/cli/mapping/language/fields.ts';
import { planByHeader } from '../../../../src/cli/mapping/compile/plan-by-header.ts';

/** Columns in an order of their own; other resources have the order of the interface. */
const HEADERS: Readonly<Partial<Record<Resource, readonly string[]>>> = {
  notes: ['import_supplier', 'external_account_number', 'body', 'created_at', 'document_paths'],
  transactions:
    `import_supplier external_account_number transaction_id transaction_date amount type reason note
    line_items.0.net_amount line_items.1.net_amount tax_items`.split(/\s+/),
  statements: ['import_supplier', 'external_account_number', 'statement_id', 'number'],
};

/** The problems that an answer to a batch leads to. */
function shown(
  resource: Resource,
  status: number,
  body: unknown,
  options: { showValues?: boolean; batch?: ReturnType<typeof batchOf> } = {},
): readonly LocatedProblem[] {
  const batch = options.batch ?? batchOf(resource, countOf(resource));
  const result = classify(resource, batch, answer(status, body));
  if (!('errors' in result)) throw new Error(`no errors in ${result.kind}`);
  const { columns } = planByHeader(resource, HEADERS[resource] ?? fieldNames(resource), undefined).plan;
  const context = {
    resource,
    sources: [{ name: `${resource}.csv`, columns }],
  };
  return result.errors.map((error) => {
    const { withValues, ...hiding } = locatePlatformError(context, batch, error);
    return options.showValues ? (withValues ?? hiding) : hiding;
  });
}

/** A batch whose records have further fields. */
function withFields(resource: Resource, fields: object, batch = batchOf(resource, countOf(resource))) {
  const records = batch.records.map((record) => ({
    ...record,
    payload: JSON.stringify({ ...(JSON.parse(record.payload) as object), ...fields }),
  }));
  return { ...batch, records };
}

const countOf = (resource: Resource): number => (resource === 'payment-instructions' ? 1 : 3);

/** `file:line:column header attr`, with null for an unknown part. */
const placeOf = ({ file, line, column, header, attr }: LocatedProblem): string =>
  `${file}:${line}:${column} ${header} ${attr}`;

const validation = (
  ...errors: readonly (readonly [code: string, attr: string | null, detail?: string])[]
) => ({
  detail: 'Validation failed.',
  code: 'validation_error',
  errors: errors.map(([code, attr, detail = 'Not valid.']) => ({ code, attr, detail })),
});

describe('an error of the platform is located at the cell that caused it', () => {
  test.each([
    ['transactions.0.amount', 'transactions.csv:2:5 amount transactions.0.amount'],
    ['transactions.2.type', 'transactions.csv:4:6 type transactions.2.type'],
    [
      'transactions.1.line_items.1.net_amount',
      'transactions.csv:3:10 line_items.1.net_amount transactions.1.line_items.1.net_amount',
    ],
    [
      'transactions.1.line_items.0.start_date',
      'transactions.csv:3:9 line_items.0.net_amount transactions.1.line_items.0.start_date',
    ],
    ['transactions.1.tax_items.0.rate', 'transactions.csv:3:11 tax_items transactions.1.tax_items.0.rate'],
    ['transactions.1.payment_type', 'transactions.csv:3:null null transactions.1.payment_type'],
    ['transactions.1.non_field_errors', 'transactions.csv:3:null null transactions.1'],
    [
      'transactions.1.line_items.1.non_field_errors',
      'transactions.csv:3:10 line_items.1.net_amount transactions.1.line_items.1',
    ],
    ['non_field_errors', 'transactions.csv:2:null null null'],
    ['import_supplier', 'transactions.csv:2:1 import_supplier import_supplier'],
    ['external_account_number', 'transactions.csv:2:2 external_account_number external_account_number'],
    ['transactions', 'transactions.csv:2:null null transactions'],
  ])('%s', (attr, place) => {
    const batch = withFields('transactions', {
      line_items: [{}, { net_amount: 1 }],
      tax_items: [{ rate: 1 }],
    });
    const [problem] = shown('transactions', 400, validation(['invalid', attr]), { batch });
    expect(placeOf(problem!)).toBe(place);
    expect(problem).toMatchObject({ code: 'invalid', severity: 'error', http_status: 400 });
  });

  test('the first failing transaction at the cell with its id', () => {
    const body = {
      status: 'TRANSACTION_IMPORT_ERROR',
      error_detail: 'No.',
      transaction_data: { transaction_id: 'T-3' },
    };
    const [problem] = shown('transactions', 400, body);
    expect(placeOf(problem!)).toBe('transactions.csv:4:3 transaction_id transactions.2.transaction_id');
    expect(problem).toMatchObject({
      code: 'transaction_import_error',
      detail: 'the platform refused this transaction; its text of 3 characters is hidden',
    });
  });

  test('a missing account at the cell with its number', () => {
    for (const resource of RESOURCES) {
      const [problem] = shown(resource, 404, { detail: 'Not found.' });
      expect(placeOf(problem!)).toBe(`${resource}.csv:2:2 external_account_number null`);
    }
  });

  test('a refused payment instruction at its reference', () => {
    const body = { error_detail: 'Already active.', reference: 'pi_1' };
    expect(shown('payment-instructions', 400, body).map(placeOf)).toEqual([
      'payment-instructions.csv:2:4 reference null',
    ]);
  });

  test('in the file of its row, when a run has several files', () => {
    const first = batchOf('notes', 2);
    const batch = {
      ...first,
      records: first.records.map((record, index) => ({ ...record, source: index + 1 })),
    };
    const { columns } = planByHeader('notes', HEADERS['notes']!, undefined).plan;
    const shifted = columns.map((column) => ({ ...column, index: column.index! + 10 }));
    const sources = [
      { name: 'a.csv', columns },
      { name: 'b.csv', columns: shifted },
    ];
    const errorOf = (seq: number) => ({
      seq,
      attr: null,
      status: 400,
      problem: { code: 'blank', path: ['body'], detail: 'x' },
    });
    const context = { resource: 'notes', sources } as const;
    expect(locatePlatformError(context, batch, errorOf(11))).toMatchObject({
      file: 'a.csv',
      line: 2,
      column: 3,
    });
    expect(locatePlatformError(context, batch, errorOf(12))).toMatchObject({
      file: 'b.csv',
      line: 3,
      column: 13,
    });
  });

  test('an error in words alone may be about any row of the request', () => {
    const [any] = shown('transactions', 400, JSON.stringify({ non_field_errors: ['Not found.'] }));
    expect(any!.detail).toBe(
      'Not found. (or one of the 2 rows after it, up to line 4: --on-reject skip finds out which)',
    );
  });
});

describe('the message of an error', () => {
  test('comes from the platform, or from the table of codes where the platform sends none', () => {
    const details = shown(
      'transactions',
      400,
      validation(['blank', 'transactions.0.note', ''], ['x_y', 'transactions.1.note', '']),
    );
    expect(details.map(({ code, detail }) => [code, detail])).toEqual([
      ['blank', 'must not be blank'],
      [
        'x_y',
        'the answer is status 400 without a readable reason, from the platform or from something before it',
      ],
    ]);
  });

  test.each([
    [400, { non_field_errors: ['Both disagree.'] }, 'validation_error'],
    [400, { transactions: { 0: { note: ['No.'] } } }, 'validation_error'],
    [401, { detail: 'No.' }, 'authentication_failed'],
    [403, { detail: 'You do not have permission to perform this action.' }, 'permission_denied'],
    [404, { detail: 'Not found.' }, 'account_not_found'],
    [
      404,
      { ...validation(['not_found', 'external_account_number', 'Gone.']), code: 'not_found' },
      'account_not_found',
    ],
    [415, { detail: 'Unsupported media type "text/plain" in request.' }, 'unsupported_media_type'],
    [422, { detail: 'No.' }, 'answer_unproven'],
    // These are not answers of the platform, so the address may be wrong.
    [400, '', 'answer_unproven'],
    [404, '<html>Not found</html>', 'answer_unproven'],
  ])('of a %i without a code gets the code that fits the status: %j', (status, body, code) => {
    const [problem] = shown('transactions', status, body);
    expect(problem).toMatchObject({ code, http_status: status });
  });

  test.each<readonly [number, unknown, string]>([
    [403, { detail: 'Import supplier is not ongoing.' }, 'Import supplier is not ongoing.'],
    [
      403,
      { detail: { import_supplier: ['Import supplier is not ongoing.'] } },
      'Import supplier is not ongoing.',
    ],
    [402, [{ detail: 'Ask for more.' }], 'Ask for more.'],
  ])('of a %i in words that have no value are shown: %j', (status, body, words) => {
    const [problem] = shown('statements', status, body);
    expect(problem).toMatchObject({ code: 'answer_unproven', detail: expect.stringContaining(words) });
  });

  test.each<readonly [number, unknown]>([
    [403, { detail: 'Account A-100 of Smith is closed.' }],
    [409, { detail: 'Smith is closed.' }],
  ])('of a %i in words that may have one are shown with --show-values alone: %j', (status, body) => {
    expect(shown('notes', status, body)[0]!.detail).not.toContain('Smith');
    expect(shown('notes', status, body, { showValues: true })[0]!.detail).toContain('Smith is closed.');
  });

  test('by a page say what came', () => {
    expect(shown('notes', 403, '<h1>Blocked by a firewall</h1>')[0]!.detail).toContain(
      '; it got status 403, no content type, 30 bytes: “Blocked by a firewall”',
    );
  });

  test('never shows a placeholder for a fact that the platform did not send', () => {
    for (const resource of RESOURCES) {
      const { list } = DESCRIPTORS[resource];
      const attr = list === null ? 'type' : `${list}.0`;
      for (const code of Object.keys(ERROR_CODES)) {
        const [problem] = shown(resource, 400, validation([code, attr, '']));
        expect(`${problem!.detail} ${problem!.next}`).not.toMatch(/<\w+>/);
      }
    }
  });
});

describe('a text of the platform', () => {
  const secretive = batchWith('transactions', [
    {
      ...transactions.CHARGE,
      transaction_id: 'T-4711',
      note: 'Müller "Anna"\nrang',
      display_note: 'Mrs Smith called',
      amount: '1234.50',
    },
    { ...transactions.CHARGE, transaction_id: 'T-4712', note: 'Mr Jones' },
  ]);
  const hidden = (size: number): string =>
    `is refused by the platform; its text of ${size} characters is hidden`;
  const detailOf = (words: string, options: { showValues?: boolean } = {}, attr = 'transactions.0.note') =>
    shown('transactions', 400, validation(['invalid', attr, words]), { batch: secretive, ...options })[0]!
      .detail;

  test.each([
    ['as it is', 'Refused: "Mrs Smith called" with 1234.50 on A-100 as T-4711, like T-4712 of Mr Jones.'],
    ['in another case', 'refused: mrs smith CALLED'],
    ['in part', 'no Smith here'],
    ['escaped for JSON', 'refused: M\\u00fcller \\"Anna\\"\\nrang'],
    ['as Python writes it', 'refused: \'Müller "Anna"\\nrang\''],
    ['in another Unicode form', 'refused: Mu\u0308ller'],
    ['in base64', Buffer.from('Mrs Smith called').toString('base64')],
    ['without its spaces', 'MrsSmithcalled'],
    ['with another separator', '1,234.50 of A100'],
    ['behind a sentence of the platform', 'must not be blank: Mrs Smith called'],
    ['before a sentence of the platform', 'smith: must not be blank'],
    ['as a choice', '"Mrs Smith called" is not a valid choice.'],
    ['as a limit', 'is longer than Smith'],
    ['as a code', 'must not be blank (smith)'],
  ])('that repeats a value %s is shown as a number of characters', (_, words) => {
    expect(detailOf(words)).toBe(hidden([...words].length));
    expect(detailOf(words, { showValues: true })).toBe(words);
    const whole = detailOf(words, {}, 'import_supplier');
    expect(whole).toBe(`${hidden([...words].length)} (and 1 more of the same request)`);
  });

  test.each([
    'must not be blank',
    'is longer than 512 characters',
    'has more than 2 digits after the decimal point',
    'is not a calendar date YYYY-MM-DD',
    'lies after today, 2026-11-21, in the zone of the platform',
    'This field may not be blank.',
    'Ensure this field has no more than 512 characters.',
    'amount: has more than 2 digits after the decimal point (max_decimal_places)',
    'transaction_date: lies outside the open statement period 2026-01-01 to 2026-06-30 (transaction_outside_open_statement)',
    'amount: is less than 0.01 (min_value); transaction: unpin_at lies before created_at (note_unpin_at_earlier_than_creation_date)',
    'line_items.0.net_amount: is not a plain decimal such as -1234.50 (invalid)',
    'is greater than 1234.51',
    'Ensure this field has no more than 12 characters.',
  ])('that is known to have no value is shown: %s', (words) => {
    expect(detailOf(words)).toBe(words);
  });

  test('without a value is not known to have none', () => {
    expect(detailOf('This is wrong.')).toBe(hidden(14));
  });

  test.each([
    ['a value', 'mrs_smith_called'],
    ['a part of a value', 'smith'],
    ['a part of a word of a value', 'smit'],
    ['a value within a name', 'customer_smith'],
    ['text', 'Mrs Smith called'],
  ])('as a code or a name of a field is not shown when it may be %s', (_, name) => {
    const errors = [{ code: name, attr: `transactions.0.${name}`, detail: '' }];
    const body = { detail: 'x', code: 'validation_error', errors };
    // Only a field that was sent or that is required is believed.
    const batch = withFields('transactions', { [name]: 'x' }, secretive);
    const [problem] = shown('transactions', 400, body, { batch });
    expect(problem).toMatchObject({ code: 'validation_error', attr: 'transactions.0' });
    const options = { batch, showValues: true };
    expect(shown('transactions', 400, body, options)[0]).toMatchObject({
      code: name,
      attr: `transactions.0.${name}`,
    });
  });
});

test('every refusal of the local platform is shown as it is', () => {
  for (const { status, sentence } of Object.values(ERROR_CODES)) {
    if (status === null || /\{(?:reason|known|status)\}/.test(sentence)) continue;
    const facts = {
      limit: '512',
      today: '2026-11-21',
      from: '2026-01-01',
      to: '2026-06-30',
      expected: 'text',
    };
    const words = withUsualWords(sentence).replaceAll(
      /\{(\w+)\}/g,
      (_, name: string) => facts[name as keyof typeof facts],
    );
    expect(shown('transactions', 400, validation(['invalid', 'transactions.0', words]))[0]!.detail).toBe(
      words,
    );
  }
});
