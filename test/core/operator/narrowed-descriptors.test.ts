import { describe, expect, test } from 'vitest';
import { DESCRIPTORS, RESOURCES, type Resource } from '../../../src/core/contract/resources.ts';
import type { OperatorContract, ResourceRules } from '../../../src/core/operator/contract.ts';
import { narrowedDescriptors } from '../../../src/core/operator/narrow.ts';
import { Decimal } from '../../../src/core/values/decimal.ts';

type Rules = Omit<ResourceRules, 'from'>;

const TODAY = '2026-11-22';

function narrowed<K extends Resource>(resource: K, rules: Rules, more: Partial<OperatorContract> = {}) {
  const resources = { [resource]: { from: '/r', ...rules } };
  const document = { title: 'Operator' };
  const contract = { document, rules: [], resources, ...more } as unknown as OperatorContract;
  return narrowedDescriptors(contract, 'file')[resource];
}

/** What the rules of a descriptor say of a record: `code path facts`. */
function said(descriptor: ReturnType<typeof narrowed>, record: object): readonly string[] {
  return descriptor.rules.flatMap((rule) =>
    (
      rule as (
        record: object,
        context: object,
      ) => readonly { code: string; path: readonly unknown[]; facts?: object }[]
    )(record, { today: TODAY }).map(
      ({ code, path, facts }) => `${code} ${path.join('.')}${facts ? ` ${JSON.stringify(facts)}` : ''}`,
    ),
  );
}

test('a resource that the contract does not describe is as in the interface', () => {
  const contract = { rules: [], resources: {} } as unknown as OperatorContract;
  expect(narrowedDescriptors(contract, 'file')).toEqual(DESCRIPTORS);
  const trims = narrowedDescriptors({ ...contract, trims: true }, 'file');
  expect(RESOURCES.map((resource) => trims[resource].trims)).toEqual([true, true, true, true]);
});

test('a descriptor names its contract, and has the most records of a request', () => {
  expect(narrowed('notes', {})).not.toHaveProperty('maxRecords');
  expect(narrowed('notes', { max_records: 5 })).toMatchObject({ contract: 'Operator', maxRecords: 5 });
  expect(narrowed('notes', {})).not.toHaveProperty('trims');
  expect(narrowed('notes', {}, { trims: true }).trims).toBe(true);
});

describe('dry_run beside the records', () => {
  const passes = (rules: Rules, more: object): boolean =>
    narrowed('notes', rules).endpoint.request!.safeParse({
      import_supplier: 'ACME',
      external_account_number: 'A-1',
      notes: [{}],
      ...more,
    }).success;

  test.each<[string, Rules, string | undefined, boolean, boolean]>([
    ['is no field', {}, undefined, true, false],
    ['may be said', { dry_run: { from: '/d' } }, 'optional', true, true],
    ['has to be said', { dry_run: { from: '/d', required: true } }, 'required', false, true],
  ])('%s', (_, rules, dryRun, without, withIt) => {
    expect(narrowed('notes', rules).dryRun).toBe(dryRun);
    expect(passes(rules, {})).toBe(without);
    expect(passes(rules, { dry_run: true })).toBe(withIt);
    expect(passes(rules, { dry_run: 'yes' })).toBe(false);
  });
});

test('query parameters have the defaults of the operator, and otherwise those of the interface', () => {
  expect(narrowed('transactions', { query: { check_previously_added: false } }).endpoint.query).toEqual({
    check_previously_added: false,
    force_add_to_current_statement: true,
  });
  expect(narrowed('transactions', {}).endpoint.query).toEqual({
    check_previously_added: true,
    force_add_to_current_statement: true,
  });
});

test('an account number may be shorter than in the interface', () => {
  const { account } = narrowed('notes', {
    account: { external_account_number: { from: '/e', max_length: 3 } },
  });
  expect(account.external_account_number.safeParse('A-1').success).toBe(true);
  expect(account.external_account_number.safeParse('A-12').success).toBe(false);
});

describe('a field that the operator asks not to use any more', () => {
  const old = { from: '/o', deprecated: { instead: 'body' } };
  const warning = 'field_deprecated';

  test('is a warning, which names the successor', () => {
    const descriptor = narrowed('notes', {
      fields: { unpin_at: old, is_pinned: { from: '/p', deprecated: {} } },
    });
    const record = { body: 'x', unpin_at: '2027-01-01T00:00:00Z' };
    expect(said(descriptor, record)).toEqual([`${warning} unpin_at {"instead":"; it has \`body\` instead"}`]);
    expect(said(descriptor, { body: 'x', is_pinned: true })).toEqual([`${warning} is_pinned {"instead":""}`]);
    expect(said(descriptor, { body: 'x' })).toEqual([]);
  });

  test('is found inside objects and items', () => {
    const descriptor = narrowed('notes', {
      fields: {
        document_paths: { from: '/d', item: { from: '/i', fields: { document_path: old } } },
        meter: { from: '/m', adds: 'object', fields: { id: old } },
        tags: {
          from: '/t',
          adds: 'list',
          deprecated: {},
          item: { from: '/i', adds: 'text', deprecated: {} },
        },
      },
    });
    const record = {
      document_paths: [{ document_path: 'a.pdf' }, 5, { document_path: 'b.pdf' }],
      meter: { id: '1' },
      tags: ['x'],
    };
    const instead = '{"instead":"; it has `body` instead"}';
    expect(said(descriptor, record)).toEqual([
      `${warning} document_paths.0.document_path ${instead}`,
      `${warning} document_paths.2.document_path ${instead}`,
      `${warning} meter.id ${instead}`,
      `${warning} tags {"instead":""}`,
      `${warning} tags.0 {"instead":""}`,
    ]);
    expect(said(descriptor, { meter: null, tags: null, body: 'x' })).toEqual([
      `${warning} tags {"instead":""}`,
    ]);
  });

  test('of one type is no warning in another one', () => {
    const descriptor = narrowed('payment-instructions', {
      types: { by: 'type', of: { CARD: { from: '/c', fields: { vendor: old } }, SEPA: { from: '/s' } } },
    });
    const record = { vendor: 'V', reference: 'R' };
    expect(said(descriptor, { ...record, type: 'CARD' })).toHaveLength(1);
    expect(said(descriptor, { ...record, type: 'SEPA' })).toEqual([]);
    expect(said(descriptor, { ...record, type: 'OTHER' })).toEqual([]);
    expect(said(descriptor, { ...record, type: 5 })).toEqual([]);
  });

  test('of every type is a warning in each, also in one that the contract does not name', () => {
    const descriptor = narrowed('payment-instructions', {
      fields: { vendor: old },
      types: { by: 'type', of: { CARD: { from: '/c' } } },
    });
    for (const type of ['CARD', 'OTHER', 5])
      expect(said(descriptor, { vendor: 'V', reference: 'R', type })).toHaveLength(1);
  });

  test('adds no rule where there is none', () => {
    expect(narrowed('notes', { fields: { body: { from: '/b', max_length: 5 } } }).rules).toHaveLength(
      DESCRIPTORS.notes.rules.length,
    );
  });
});

describe('a record whose fields depend on its type', () => {
  const descriptor = narrowed('payment-instructions', {
    fields: { region: { from: '/g', adds: 'text', required: true } },
    types: {
      by: 'type',
      of: {
        CARD: { from: '/c', fields: { last4: { from: '/l', adds: 'text', required: true } } },
        SEPA: {
          from: '/s',
          fields: { last4: { from: '/l', adds: 'text' }, iban: { from: '/i', adds: 'text', required: true } },
        },
      },
    },
  });
  const record = { vendor: 'V', reference: 'R', region: 'EU' };
  const missing = (own: object): readonly unknown[] => {
    const candidate = { ...record, ...own };
    const { error } = descriptor.schemaFor!(candidate).safeParse(candidate);
    return (error?.issues ?? []).map(({ code, path, ...issue }) =>
      code === 'unrecognized_keys' ? (issue as unknown as { keys: string[] }).keys.join() : path.join('.'),
    );
  };

  test.each<[object, readonly string[]]>([
    [{ type: 'CARD', last4: '1234' }, []],
    [{ type: 'CARD' }, ['last4']],
    [{ type: 'CARD', last4: '1234', iban: 'X' }, ['iban']],
    [{ type: 'SEPA', iban: 'X' }, []],
    [{ type: 'SEPA' }, ['iban']],
    [{ type: 'SEPA', iban: 'X', region: undefined }, ['region']],
    // Of another type every field that a type has may be there, and one that every type requires has to be.
    [{ type: 'OTHER', last4: '1234', iban: 'X' }, []],
    [{ type: 'OTHER' }, []],
    [{ type: 'OTHER', region: undefined }, ['region']],
    [{ type: 'OTHER', more: 1 }, ['more']],
  ])('%j lacks %j', (own, fields) => {
    expect(missing(own)).toEqual(fields);
  });

  test('names its fields in the order of the interface, the added ones last', () => {
    expect(Object.keys(descriptor.schema.shape)).toEqual([
      'vendor',
      'reference',
      'type',
      'region',
      'last4',
      'iban',
    ]);
  });

  test('is checked as of any type where it has none', () => {
    expect(descriptor.schemaFor!(null)).toBe(descriptor.schema);
    expect(descriptor.schemaFor!({ type: 5 })).toBe(descriptor.schema);
    const notes = narrowed('notes', {});
    expect(notes.schemaFor!({ type: 'CARD' })).toBe(notes.schema);
  });
});

test('a rule of the interface about fields of types is the matter of the operator', () => {
  const record = {
    type: 'PAYMENT',
    transaction_id: 'T',
    transaction_date: '2026-01-01',
    amount: Decimal.of('5'),
    product_code: 'POWER',
  };
  const own = narrowed('transactions', {});
  expect(own.rules).toHaveLength(DESCRIPTORS.transactions.rules.length - 1);
  expect(said({ rules: DESCRIPTORS.transactions.rules } as never, record)).toHaveLength(1);
  expect(said(own, record)).toEqual([]);
});
