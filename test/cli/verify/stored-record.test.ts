import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { judgeStored, recordForm } from '../../../src/cli/verify/stored-record.ts';
import { anyJson, decimal } from '../../../src/core/contract/field.ts';
import { DESCRIPTORS, type Resource } from '../../../src/core/contract/resources.ts';
import { drafts, withField } from '../../support/push-records.ts';

/** Another value for each field of a record. */
const OTHER: Readonly<Record<Resource, Readonly<Record<string, unknown>>>> = {
  notes: {
    body: 'Called about the metre',
    'document_paths.0.document_path': 'letters/2.pdf',
    created_at: '2024-03-05T18:48:17Z',
    is_pinned: false,
    unpin_at: '2024-04-05T18:48:17Z',
  },
  transactions: {
    transaction_id: 'T-2',
    transaction_date: '2026-01-06',
    amount: 53.25,
    display_note: 'Winter 2',
    product_code: 'FLAT-2',
    'line_items.0.start_date': '2025-12-02',
    'line_items.0.end_date': '2025-12-30',
    'line_items.0.number_of_units': 5,
    'line_items.0.net_amount': 45,
    'line_items.0.price_per_unit': 12,
    'line_items.0.units.1': 105,
    'tax_items.0.amount': 9.25,
    'tax_items.0.rate': 0.22,
  },
  statements: {
    bill_period_from_date: '2025-01-02',
    bill_period_to_date: '2025-03-30',
    statement_id: 'S-2',
    issued_date: '2025-04-05',
    number: 'INV-2',
    gross_amount: 38353,
    statement_path: 'statements/S-2.pdf',
  },
  'payment-instructions': { vendor: 'SEPA', reference: 'pi_2', type: 'DIRECT_DEBIT' },
};

const CASES = Object.entries(OTHER).flatMap(([resource, fields]) =>
  Object.entries(fields).map(([field, value]) => [resource as Resource, field, value] as const),
);

describe('a record of a ledger differs from its row', () => {
  test.each(CASES)('%s: by another %s', (resource, field, value) => {
    const descriptor = DESCRIPTORS[resource] as never;
    const draft = drafts[resource];
    const [ours, theirs] = [draft, withField(draft, field, value)].map((each) =>
      recordForm(descriptor, JSON.stringify(each))!,
    );
    expect(theirs!.content).not.toEqual(ours!.content);
    const { fields } = judgeStored(descriptor, ours!.fields, theirs!.fields, () => false);
    expect(fields).toEqual([field]);
  });
});

const form = (resource: Resource, fields: object) =>
  recordForm(DESCRIPTORS[resource] as never, JSON.stringify(fields));

/** The form of a record under a contract with a field that takes any JSON. */
const formOfAny = (json: string) =>
  recordForm(
    {
      ...DESCRIPTORS.transactions,
      schemaFor: undefined,
      schema: z.strictObject({ amount: decimal({ whole: 10, places: 2 }), extra: anyJson() }),
      identity: () => ({ id: 'T' }),
    } as never,
    json,
  );

describe('a record of a ledger', () => {
  test('has numbers as texts, in lists, too, and is read as the row is', () => {
    const texts = JSON.parse(JSON.stringify(drafts.transactions), (_name, value: unknown) =>
      typeof value === 'number' ? String(value) : value,
    ) as object;
    const [ours, theirs] = [form('transactions', drafts.transactions), form('transactions', texts)];
    expect(theirs).toEqual(ours);
    expect(ours).toMatchObject({ type: expect.any(String) as string, amount: expect.any(String) as string });
  });

  test('differs by a list where the row has none, and by a text where it has a list', () => {
    const { fields } = form('transactions', drafts.transactions)!;
    const judged = (stored: object) =>
      judgeStored(DESCRIPTORS.transactions as never, fields, { ...fields, ...stored }, () => false).fields;
    expect(judged({ line_items: 'none' })).toEqual(['line_items']);
    expect(judged({ line_items: undefined })).toEqual(['line_items']);
    expect(judged({ amount: '53.24' })).toEqual(['amount']);
    expect(judged({ own: 1 })).toEqual(['own']);
  });

  test.each([
    ['{}', '[]', true],
    ['{"a":{}}', '{"a":[]}', true],
    ['[{}]', '[[]]', true],
    ['["b"]', '{"0":"b"}', true],
    ['12345678901234567890', '"12345678901234567890"', true],
    ['12345678901234567890', '12345678901234567891', true],
    ['1e5', '"1e5"', true],
    ['1e5', '1e6', true],
    ['1.5e10', '1.5e1', true],
    ['1e5', '{"text":"1e5"}', true],
    ['1.0', '1.00', false],
    ['1e5', '100000', false],
    ['12345678901234567890', '12345678901234567890.0', false],
    ['{"a":1e5,"b":[]}', '{"b":[],"a":1E+5}', false],
  ])('with %s in a field of any JSON and one with %s differ: %s', (ours, theirs, differs) => {
    const [a, b] = [ours, theirs].map((value) => formOfAny(`{"amount":1,"extra":${value}}`)!);
    if (differs) expect(a!.content).not.toEqual(b!.content);
    const { fields } = judgeStored(DESCRIPTORS.transactions as never, a!.fields, b!.fields, () => false);
    expect(fields.length > 0).toBe(differs);
  });
});

describe('a date that the platform has moved', () => {
  const sent = form('transactions', drafts.transactions)!.fields;
  const moved = { transaction_date: '2026-03-01' };
  const described = ['display_note', 'note'].map((name) => {
    const before = sent[name];
    return [name, `${typeof before === 'string' ? before : ''} moved`];
  });
  const texts = Object.fromEntries(described) as Record<string, string>;

  test.each<readonly [string, object, boolean, boolean, readonly string[]]>([
    ['is no difference where the platform says so', moved, true, true, []],
    ['may have a description behind the texts', { ...moved, ...texts }, true, true, []],
    ['is a difference where nobody says so', moved, false, false, ['transaction_date']],
    ['hides no other difference', { ...moved, product_code: 'X' }, true, false, ['product_code']],
    ['hides no other text', { ...moved, display_note: 'another' }, true, false, ['display_note']],
    [
      'lets no text differ without it',
      { display_note: texts['display_note'] },
      true,
      false,
      ['display_note'],
    ],
    ['is none in an equal record', {}, true, false, []],
  ])('%s', (_, change, isKnown, isMoved, fields) => {
    const stored = { ...sent, ...change };
    const verdict = judgeStored(DESCRIPTORS.transactions as never, sent, stored, () => isKnown);
    expect(verdict).toEqual({ fields, isMoved });
  });
});
