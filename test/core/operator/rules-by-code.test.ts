import { describe, expect, test } from 'vitest';
import type { Resource } from '../../../src/core/contract/resources.ts';
import { ERROR_CODES } from '../../../src/core/error-codes/table.ts';
import type { OperatorContract } from '../../../src/core/operator/contract.ts';
import { readContract } from '../../../src/core/operator/contract-file.ts';
import { enforcementOf, enforcementPhrase } from '../../../src/core/operator/rules-by-code.ts';
import { narrowedDescriptors } from '../../../src/core/operator/narrow.ts';
import { checkRecord } from '../../../src/core/rules/record.ts';
import { parseExactJson } from '../../../src/core/values/exact-json.ts';
import { RULES } from '../../../src/server/parity/parity.ts';
import { imported, OPERATOR_DOCUMENTS, operatorFile } from '../../support/operator-document.ts';

const text = { type: 'string' };
const LINE_ITEM = {
  type: 'object',
  properties: {
    start_date: { type: 'string', format: 'date' },
    end_date: { type: 'string', format: 'date' },
    number_of_units: {},
    net_amount: {},
    rate_band: text,
    rate_specification_code: text,
    supply_point_identifier: text,
    params: { type: 'object' },
  },
};
const STATEMENT = {
  type: 'object',
  properties: {
    statement_id: text,
    bill_period_from_date: { type: 'string', format: 'date' },
    bill_period_to_date: { type: 'string', format: 'date' },
    statement_path: text,
    pdf_context: { type: 'object' },
    reading: { type: 'object', properties: { from_time: text, to_time: text } },
  },
};

/** The contract of an operator that has the fields of the rules. */
const { contract: WITH_FIELDS } = imported({
  transaction: { line_items: { type: 'array', items: LINE_ITEM }, supply_point_identifier: text },
  paths: {
    '/v1/data-import/historical-statements/create/': {
      post: {
        requestBody: {
          content: {
            'application/json': {
              schema: {
                properties: {
                  import_supplier: text,
                  external_account_number: text,
                  statements: { type: 'array', items: STATEMENT },
                },
              },
            },
          },
        },
      },
    },
  },
});

/** The same, and it names codes. */
function contractWith(codes: readonly string[], off: readonly string[] = []): OperatorContract {
  const rules = codes.map((code) => ({ code, title: '', from: '' }));
  return {
    ...WITH_FIELDS,
    rules: rules.map((rule) => (off.includes(rule.code) ? { ...rule, off: true } : rule)),
  };
}

const item = (own: object): object => ({
  type: 'SUPPLY_CHARGE',
  transaction_id: 'T1',
  transaction_date: '2026-01-31',
  amount: 44,
  product_code: 'POWER',
  line_items: [
    { start_date: '2026-01-01', end_date: '2026-01-31', number_of_units: 4, net_amount: 44, ...own },
  ],
});
const statement = (own: object): object => ({
  statement_id: 'S1',
  bill_period_from_date: '2026-01-01',
  bill_period_to_date: '2026-01-31',
  ...own,
});

interface Case {
  readonly code: string;
  readonly what: string;
  readonly resource: Resource;
  readonly record: object;
  /** The path of the problem; undefined for a record that passes. */
  readonly at?: string;
}

const CASES: readonly Case[] = (
  [
    [
      'supply_point_identifier_required_for_rate_specification_code',
      'transactions',
      [
        ['a rate code alone', item({ rate_specification_code: 'R' }), 'line_items.0.rate_specification_code'],
        [
          'a rate code with an empty supply point',
          item({ rate_specification_code: 'R', supply_point_identifier: '' }),
          'line_items.0.rate_specification_code',
        ],
        [
          'a rate code with its supply point',
          item({ rate_specification_code: 'R', supply_point_identifier: 'P' }),
        ],
        [
          'a rate code with the supply point of its params',
          item({ rate_specification_code: 'R', params: { supply_point_identifier: 'P' } }),
        ],
        [
          'a rate code with the supply point of the transaction',
          { ...item({ rate_specification_code: 'R' }), supply_point_identifier: 'P' },
        ],
        ['a rate band', item({ rate_band: 'CONSUMPTION_STANDARD' })],
      ],
    ],
    [
      'conflicting_rate_band_specification',
      'transactions',
      [
        ['no name of a rate', item({}), 'line_items.0.rate_band'],
        [
          'two names of a rate',
          item({ rate_band: 'CONSUMPTION_STANDARD', rate_specification_code: 'R' }),
          'line_items.0.rate_band',
        ],
        ['a rate band', item({ rate_band: 'CONSUMPTION_STANDARD' })],
        ['a rate code', item({ rate_specification_code: 'R', supply_point_identifier: 'P' })],
      ],
    ],
    [
      'invalid_charge_target_type',
      'transactions',
      [
        [
          'another type',
          item({ params: { charge_target_type: 'METER' } }),
          'line_items.0.params.charge_target_type',
        ],
        ['a number', item({ params: { charge_target_type: 1 } }), 'line_items.0.params.charge_target_type'],
        ['a known type', item({ params: { charge_target_type: 'REGISTER' } })],
        ['no type', item({ params: {} })],
        ['no params', item({})],
      ],
    ],
    [
      'missing_statement_path_or_pdf_context',
      'statements',
      [
        ['no document', statement({}), 'statement_path'],
        ['a path', statement({ statement_path: 'a.pdf' })],
        ['the other way', statement({ pdf_context: {} })],
      ],
    ],
    [
      'received_statement_path_and_pdf_context',
      'statements',
      [
        ['both ways', statement({ statement_path: 'a.pdf', pdf_context: {} }), 'statement_path'],
        ['a path', statement({ statement_path: 'a.pdf' })],
        ['no document', statement({})],
      ],
    ],
    [
      'from_time_not_after_to_time',
      'statements',
      [
        [
          'times of a day in the wrong order',
          statement({ reading: { from_time: '12:00', to_time: '08:00' } }),
          'reading.from_time',
        ],
        [
          'date-times in the wrong order, in other zones',
          statement({ reading: { from_time: '2026-01-01T10:00:00+01:00', to_time: '2026-01-01T08:30:00Z' } }),
          'reading.from_time',
        ],
        [
          'date-times in order, in other zones',
          statement({ reading: { from_time: '2026-01-01T10:00:00+02:00', to_time: '2026-01-01T08:30:00Z' } }),
        ],
        [
          'dates in the wrong order',
          statement({ reading: { from_time: '2026-01-02', to_time: '2026-01-01' } }),
          'reading.from_time',
        ],
        ['equal times', statement({ reading: { from_time: '08:00', to_time: '08:00' } })],
        ['times that cannot be compared', statement({ reading: { from_time: 'noon', to_time: '08:00' } })],
        ['one end', statement({ reading: { from_time: '12:00' } })],
      ],
    ],
  ] as const
).flatMap(([code, resource, cases]) =>
  cases.map(([what, record, at]) => ({ code, what, resource, record, ...(at !== undefined && { at }) })),
);

const problemsUnder = (contract: OperatorContract, end: 'file' | 'wire', { resource, record }: Case) =>
  checkRecord(resource, parseExactJson(JSON.stringify(record)), {
    today: '2026-11-22',
    descriptors: narrowedDescriptors(contract, end),
  })
    .problems.filter(({ severity }) => severity === 'error')
    .map(({ code, path }) => `${code} ${path.join('.')}`);

describe.each(['file', 'wire'] as const)(
  'a rule of a record that a contract turns on, at the end `%s`',
  (end) => {
    test.each(CASES)('$code: $what', (given) => {
      const { code, at } = given;
      expect(problemsUnder(contractWith([code]), end, given)).toEqual(
        at === undefined ? [] : [`${code} ${at}`],
      );
    });

    test.each(CASES.filter(({ at }) => at !== undefined))(
      '$code: $what passes where the contract does not name it, or turns it off',
      (given) => {
        expect(problemsUnder(contractWith([]), end, given)).toEqual([]);
        expect(problemsUnder(contractWith([given.code], [given.code]), end, given)).toEqual([]);
      },
    );
  },
);

test('the types of charge targets are those that the operator lists', () => {
  const listed = { type: 'object', properties: { charge_target_type: { enum: ['METER'] }, other: text } };
  const { contract } = imported({
    transaction: {
      line_items: {
        type: 'array',
        items: { ...LINE_ITEM, properties: { ...LINE_ITEM.properties, params: listed } },
      },
    },
  });
  const own = { ...contract, rules: [{ code: 'invalid_charge_target_type', title: '', from: '' }] };
  const given = (type: string) =>
    ({
      code: '',
      what: '',
      resource: 'transactions',
      record: item({ params: { charge_target_type: type } }),
    }) as const;
  expect(problemsUnder(own, 'wire', given('METER'))).toEqual([]);
  expect(problemsUnder(own, 'wire', given('REGISTER'))).toEqual([
    'invalid_choice line_items.0.params.charge_target_type',
  ]);
});

describe('where a rule of a contract is enforced', () => {
  const whereOf = (code: string, contract = contractWith([code])) =>
    enforcementOf(contract.rules.find((rule) => rule.code === code)!);

  test('is said of every code that it may name, and rests on a rule of the platform with a test', () => {
    const codes = new Set<string>(RULES.flatMap((rule) => rule.codes ?? []));
    const claimed = Object.keys(ERROR_CODES).filter((code) => whereOf(code) !== 'nowhere');
    // The platform has these two kinds of limits through contracts alone.
    const ofContracts = ['min_length', 'max_value', 'max_digits'];
    expect(claimed.filter((code) => !codes.has(code) && !ofContracts.includes(code))).toEqual([]);
    expect(claimed.length).toBeGreaterThan(40);
  });

  test('is nowhere for a code that nobody knows, and for one that needs data which the seed cannot give', () => {
    expect(whereOf('rate_code_retired')).toBe('nowhere');
    expect(whereOf('ledger_code_does_not_exist')).toBe('nowhere');
  });

  test('is nowhere when the contract turns it off, and a rule that holds for every operator stays on', () => {
    const codes = [
      'missing_statement_path_or_pdf_context',
      'line_items_overlap_already_charged_period',
      'transaction_in_future',
    ];
    const contract = contractWith(codes, codes);
    expect(codes.map((code) => whereOf(code, contract))).toEqual(['nowhere', 'nowhere', 'check_and_serve']);
    expect(enforcementPhrase(contract.rules[0]!)).toBe(
      'NOT ENFORCED by check and serve, because the contract turns it off',
    );
  });

  test('says that an instruction needs the reference of the interface, whatever else the operator takes', () => {
    const rules = [{ code: 'mutually_exclusive_field_required', title: '', from: '' }];
    const schema = {
      type: 'object',
      additionalProperties: true,
      properties: { instruction_reference: text },
    };
    const value = { kind: 'text', from: '' } as const;
    const fields = {
      vendor: value,
      type: value,
      reference: { ...value, required: true as const },
      instruction_reference: value,
    };
    const contract: OperatorContract = {
      ...WITH_FIELDS,
      rules,
      resources: {
        'payment-instructions': { body: '/body', record: '/body', account: {}, fields },
      },
      schemas: { body: schema },
    };
    expect(enforcementPhrase(rules[0]!)).toBe(
      'enforced by check and serve, and the interface requires reference: an instruction with instruction_reference alone cannot be sent',
    );
    const own = { reference: 'R' };
    const other = { instruction_reference: 'I' };
    const problemsOf = (references: object) =>
      problemsUnder(contract, 'wire', {
        code: '',
        what: '',
        resource: 'payment-instructions',
        record: { vendor: 'STRIPE', type: 'CARD', ...references },
      });
    expect([own, other, { ...own, ...other }, {}].map(problemsOf)).toEqual([
      [],
      ['required reference'],
      ['mutually_exclusive_field_required reference'],
      ['required reference'],
    ]);
  });

  test.each(OPERATOR_DOCUMENTS)('is known for every rule of %s, %s', (folder, _document, name) => {
    const contract = readContract(name, operatorFile(folder, name));
    const nowhere = contract.rules.filter((rule) => enforcementOf(rule) === 'nowhere');
    expect(nowhere.map(({ code }) => code)).toEqual(
      folder === 'halmere' ? ['ledger_code_does_not_exist', 'rate_code_retired'] : [],
    );
  });
});
