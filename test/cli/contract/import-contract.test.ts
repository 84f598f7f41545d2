import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { importContract } from '../../../src/cli/contract/import-contract.ts';
import { readContract } from '../../../src/core/operator/contract-file.ts';
import { narrowedDescriptors } from '../../../src/core/operator/narrow.ts';
import { checkRecord } from '../../../src/core/rules/record.ts';
import {
  fieldsUnder,
  findingsOf,
  imported,
  OPERATOR_DOCUMENTS,
  operatorFile,
} from '../../support/operator-document.ts';

const note = (properties: Readonly<Record<string, unknown>>) => imported({ note: properties });
const noteRules = (properties: Readonly<Record<string, unknown>>) => fieldsUnder(note(properties).contract);

test('a document that demands nothing beyond the interface has no line', () => {
  expect(findingsOf(imported({}))).toEqual([]);
});

describe('values', () => {
  test.each(
    Object.entries<[object, object]>({
      'a length': [{ type: 'string', maxLength: 9 }, { limits: { maxLength: 9 } }],
      'no empty text': [{ type: 'string', minLength: 1 }, { limits: { minLength: 1 } }],
      'a closed list': [{ type: 'string', enum: ['A', 'B'] }, { values: ['A', 'B'] }],
      'the empty text in a list': [{ type: 'string', enum: ['', 'A'] }, { values: ['', 'A'] }],
      'null in a list': [{ type: 'string', nullable: true, enum: ['A', null] }, { values: ['A'] }],
      'one value': [{ const: 'A' }, { values: ['A'] }],
      'a pattern': [{ type: 'string', pattern: '^A' }, { keywords: ['pattern: ^A'] }],
      'a date': [{ type: 'string', format: 'date' }, { kind: 'date' }],
      'lists of Django, with the empty text and null apart': [
        { nullable: true, oneOf: [{ enum: ['A'] }, { enum: [''] }, { enum: [null] }] },
        { values: ['A', ''] },
      ],
      'several schemas at once': [
        {
          allOf: [
            { type: 'string', maxLength: 9 },
            { type: 'string', maxLength: 5 },
          ],
        },
        { limits: { maxLength: 5 } },
      ],
      'two closed lists at once': [
        {
          allOf: [
            { type: 'string', enum: ['A', 'B'] },
            { type: 'string', enum: ['B', 'C'] },
          ],
        },
        { values: ['B'] },
      ],
    }),
  )('%s tightens a text', (_, [schema, rules]) => {
    expect(noteRules({ body: schema })['body']).toMatchObject(rules);
  });

  test.each(
    Object.entries<[object, object]>({
      'a text': [
        { type: 'string', maxLength: 3 },
        { kind: 'text', limits: { maxLength: 3 } },
      ],
      'true or false': [{ type: 'boolean' }, { kind: 'boolean' }],
      'a date': [{ type: 'string', format: 'date' }, { kind: 'date' }],
      'a date-time': [{ type: 'string', format: 'date-time' }, { kind: 'datetime' }],
      'a whole number': [
        { type: 'integer', minimum: 1 },
        { kind: 'decimal', limits: { minimum: 1 }, wire: 'number' },
      ],
      'a number above a limit in 3.0': [
        { type: 'number', minimum: 0, exclusiveMinimum: true },
        { kind: 'decimal', limits: { exclusiveMinimum: 0 }, wire: 'number' },
      ],
      'a number with two limits at each side, the tighter ones first': [
        {
          type: 'number',
          allOf: [
            { minimum: 3, maximum: 7 },
            { minimum: 1, maximum: 9 },
          ],
        },
        { kind: 'decimal', limits: { minimum: 3, maximum: 7 }, wire: 'number' },
      ],
      'a number with two limits at each side, the tighter ones last': [
        {
          type: 'number',
          allOf: [
            { minimum: 1, maximum: 9 },
            { minimum: 3, maximum: 7 },
          ],
        },
        { kind: 'decimal', limits: { minimum: 3, maximum: 7 }, wire: 'number' },
      ],
      'an object with two lists of required fields': [
        {
          type: 'object',
          properties: { a: { type: 'string' }, b: { type: 'string' } },
          allOf: [{ required: ['a'] }, { required: ['b'] }],
        },
        { kind: 'object', fields: { a: { required: true }, b: { required: true } } },
      ],
      'a number with steps': [
        { type: 'number', multipleOf: 0.001 },
        { kind: 'decimal', limits: { multipleOf: 0.001 }, wire: 'number' },
      ],
      'a decimal as text': [
        { type: 'string', format: 'decimal', pattern: '^-?\\d{0,6}(?:\\.\\d{0,2})?$' },
        { kind: 'decimal', keywords: ['pattern: ^-?\\d{0,6}(?:\\.\\d{0,2})?$'], wire: 'string' },
      ],
      'a decimal with a pattern of its own': [
        { type: 'string', format: 'decimal', pattern: '^\\d\\.\\d{2}$' },
        { kind: 'decimal', keywords: ['pattern: ^\\d\\.\\d{2}$'], wire: 'string' },
      ],
      anything: [{}, { kind: 'json' }],
      'a free object': [{ type: 'object' }, { kind: 'object', fields: {}, open: true }],
      'an object of texts': [
        { type: 'object', additionalProperties: { type: 'string' } },
        { kind: 'object', fields: {}, open: true },
      ],
      'a closed object': [
        {
          type: 'object',
          additionalProperties: false,
          required: ['a'],
          properties: { a: { type: 'string' } },
        },
        { kind: 'object', fields: { a: { kind: 'text', required: true } } },
      ],
      'a list': [
        { type: 'array', maxItems: 2, items: { type: 'string' } },
        { kind: 'list', limits: { maxItems: 2 }, fields: { '[]': { kind: 'text' } } },
      ],
    }),
  )('%s can be added', (_, [schema, rules]) => {
    expect(noteRules({ extra: schema })).toMatchObject({ extra: rules });
    expect(findingsOf(note({ extra: schema })).join('\n')).toMatch(
      /^(?:(?:added|tightened) notes\.extra.*\n?)+$/,
    );
  });

  test.each(
    Object.entries<[Readonly<Record<string, unknown>>, string]>({
      'a limit that is no number': [{ maxLength: 'many' }, '`maxLength` is not checked: it must be integer'],
      'an empty list': [{ enum: [] }, '`enum` is not checked: no value is in the list'],
    }),
  )('%s is listed and not applied', (_, [keywords, says]) => {
    const { contract, findings } = note({ code: { type: 'string', ...keywords } });
    expect(fieldsUnder(contract)['code']).toMatchObject({ kind: 'text' });
    expect(JSON.stringify(contract.schemas)).not.toMatch(/maxLength":"many|enum":\[\]/);
    expect(findings).toContainEqual(expect.objectContaining({ kind: 'not_understood', says }));
  });

  test('a pattern that looks ahead is listed and not applied', () => {
    const { contract, findings } = note({ code: { type: 'string', maxLength: 36, pattern: '^(?=a)' } });
    expect(fieldsUnder(contract)['code']).toMatchObject({ kind: 'text', limits: { maxLength: 36 } });
    expect(JSON.stringify(contract.schemas)).not.toContain('(?=a)');
    expect(findings).toContainEqual(
      expect.objectContaining({
        kind: 'not_understood',
        says: 'the pattern is not checked: invalid or unsupported Perl syntax: `(?=`',
        from: expect.stringMatching(/\/code\/pattern$/),
      }),
    );
  });
});

describe('fields', () => {
  test('a field of the interface that the operator does not name is told, and not sent where the schema forbids it', () => {
    const [open, closed] = [{}, { additionalProperties: false }].map((own) =>
      imported({ noteSchema: { type: 'object', properties: { body: { type: 'string' } }, ...own } }),
    );
    const found = open!.findings.find(({ field }) => field === 'is_pinned')!;
    expect(found).toMatchObject({ kind: 'changed', from: expect.stringMatching(/\/items$/) as string });
    expect(findingsOf(closed!)).toContain('removed notes.is_pinned: not a field here');
  });

  test('a required field of the interface that the document forbids contradicts it', () => {
    const { findings } = imported({
      transactionSchema: {
        type: 'object',
        additionalProperties: false,
        properties: { transaction_id: { type: 'string' }, amount: {}, type: {} },
      },
    });
    expect(findingsOf({ findings })).toContain(
      'tightened transactions.transaction_date: is forbidden, and required in the interface: every such record would be refused',
    );
  });

  test('fields beside the records are reported, and dry_run is known', () => {
    const { contract, findings } = imported({
      body: { dry_run: { type: 'boolean' }, batch_name: { type: 'string' } },
    });
    expect(contract.resources.transactions!.dry_run).toBe('optional');
    expect(findingsOf({ findings })).toContain(
      'not_understood transactions.batch_name: stands beside the records, where nothing can be sent',
    );
  });
});

describe('types of transactions', () => {
  const branch = (reason: object, type: object = { type: 'string' }) => ({
    type: 'object',
    required: ['type', 'transaction_id', 'transaction_date', 'amount'],
    properties: { type, transaction_id: { type: 'string' }, transaction_date: {}, amount: {}, reason },
  });
  const overlapping = { type: 'string', enum: ['CHARGE', 'CREDIT'] };
  const schemas = {
    A: branch({ type: 'string', maxLength: 1 }, overlapping),
    B: branch({ type: 'string', maxLength: 2 }, overlapping),
  };
  const refs = [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }];

  test.each([
    ['the mapping', schemas, refs, { mapping: { CREDIT: '#/components/schemas/A', CHARGE: 'B' } }],
    [
      'without a mapping the name of the schema',
      { CREDIT: schemas.A, CHARGE: schemas.B },
      ['CREDIT', 'CHARGE'].map((name) => ({ $ref: `#/components/schemas/${name}` })),
      {},
    ],
  ])('%s of the discriminator decides, although the branches overlap', (_, named, oneOf, mapping) => {
    const { contract, findings } = imported({
      schemas: named,
      transactionSchema: { oneOf, discriminator: { propertyName: 'type', ...mapping } },
    });
    expect(fieldsUnder(contract, 'transactions', 'CREDIT')['reason']).toMatchObject({
      limits: { maxLength: 1 },
    });
    expect(fieldsUnder(contract, 'transactions', 'CHARGE')['reason']).toMatchObject({
      limits: { maxLength: 2 },
    });
    expect(findingsOf({ findings })).toContain(
      'tightened transactions.type: no longer takes PAYMENT, REPAYMENT, SUPPLY_CHARGE',
    );
  });

  test.each([
    ['a const', (value: string) => ({ const: value })],
    ['a list with one value', (value: string) => ({ type: 'string', enum: [value] })],
  ])('without a mapping %s in each branch decides', (_, only) => {
    const { contract } = imported({
      transactionSchema: {
        oneOf: [
          branch({ maxLength: 1, type: 'string' }, only('CREDIT')),
          branch({ maxLength: 2, type: 'string' }, only('CHARGE')),
        ],
      },
    });
    expect(fieldsUnder(contract, 'transactions', 'CREDIT')['reason']).toMatchObject({
      limits: { maxLength: 1 },
    });
  });

  test('an added object may have types of its own', () => {
    const only = (value: string) => ({ type: 'string', enum: [value] });
    const point = {
      type: 'object',
      required: ['kind'],
      properties: { kind: only('POINT'), at: { type: 'string' } },
    };
    const register = {
      type: 'object',
      required: ['kind'],
      properties: { kind: only('REGISTER'), no: { type: 'string' } },
    };
    expect(noteRules({ target: { oneOf: [point, register] } })['target']).toMatchObject({
      kind: 'object',
      fields: {
        kind: { required: true, values: ['POINT', 'REGISTER'] },
        at: { kind: 'text' },
        no: { kind: 'text' },
      },
    });
  });
});

describe('contradictions', () => {
  const parts = { transaction: { transaction_date: { type: 'string', format: 'date-time' } } };

  test('are told, and the check refuses each record with such a field', () => {
    const { contract, findings } = imported(parts);
    expect(findingsOf({ findings })).toEqual([
      'tightened transactions.transaction_date: is date-time, and date in the interface: every such record would be refused',
    ]);
    const descriptors = narrowedDescriptors(contract, 'file');
    const record = { transaction_id: 'T', transaction_date: '2026-01-01', amount: '1.00', type: 'CREDIT' };
    const { problems } = checkRecord('transactions', record, { today: '2026-11-22', descriptors });
    expect(problems.map(({ code, path }) => `${code} ${path.join('.')}`)).toEqual([
      'invalid transaction_date',
    ]);
  });

  test.each(
    Object.entries<[Readonly<Record<string, unknown>>, string]>({
      'a number for a text': [
        { transaction_id: { type: 'integer' } },
        'is decimal, and text in the interface',
      ],
      'a text for a list': [{ line_items: { type: 'string' } }, 'is text, and list in the interface'],
      'no known type': [{ type: { type: 'string', enum: ['A'] } }, 'has no value that the interface has: A'],
    }),
  )('%s', (_, [transaction, says]) => {
    expect(findingsOf(imported({ transaction })).join('\n')).toContain(says);
  });
});

describe('rules', () => {
  test.each([
    ['names', [{ name: 'R', possible_errors: ['code_a'] }], 'R'],
    ['objects with words', [{ possible_errors: [{ code: 'code_a', detail: 'Says\n why.' }] }], 'Says why.'],
    ['objects by name', { R: { title: 'All is well', possible_errors: ['code_a'] } }, 'All is well'],
    ['no words at all', [{ possible_errors: ['code_a'] }], ''],
  ])('possible errors may be %s', (_, validators, title) => {
    const { rules } = note({ body: { type: 'string', 'x-validators': validators } }).contract;
    expect(rules).toEqual([
      { code: 'code_a', title, from: expect.stringContaining('/possible_errors/0'), resources: ['notes'] },
    ]);
  });

  test('a validator without a code is reported', () => {
    expect(findingsOf(note({ body: { type: 'string', 'x-validators': ['R'] } })).join()).toContain(
      'has no code to know it by',
    );
  });
});

test('nothing is left out in silence: each keyword is checked, or listed with its pointer', () => {
  const { findings } = note({
    extra: { type: 'string', format: 'email', 'x-own': 1, not: {}, minProperties: 1, unknownKeyword: 1 },
    mixed: { type: ['string', 'file'] },
  });
  expect(
    findings
      .filter(({ kind }) => kind === 'not_understood')
      .map(({ says, from }) => `${says} ${from.split('/').slice(-2).join('/')}`)
      .filter((line) => line.includes('is not checked')),
  ).toEqual([
    'the format `email` is not checked extra/format',
    '`unknownKeyword` is not checked extra/unknownKeyword',
    '`type` is not checked: it must be equal to one of the allowed values mixed/type',
  ]);
});

test('a schema that contains itself is read as far as it does not repeat', () => {
  const { contract } = imported({
    schemas: {
      Tree: {
        type: 'object',
        properties: { name: { type: 'string' }, child: { $ref: '#/components/schemas/Tree' } },
      },
    },
    note: { tree: { $ref: '#/components/schemas/Tree' } },
  });
  expect(fieldsUnder(contract)['tree']).toMatchObject({
    fields: { name: { kind: 'text' }, child: { kind: 'json' } },
  });
});

describe.each(OPERATOR_DOCUMENTS)('the made-up operator %s, %s', (folder, name, contractName) => {
  const text = operatorFile(folder, name);
  const written = readContract(contractName, operatorFile(folder, contractName));
  const sha256 = createHash('sha256').update(text).digest('hex');
  const { contract, findings } = importContract(
    { file: name, text, sha256 },
    written.document.imported as never,
  );

  test('has the contract that its document makes', () => {
    expect(`${JSON.stringify(contract, undefined, 2)}\n`).toBe(operatorFile(folder, contractName));
  });

  test('says nothing that is not understood, and each line leads to its place', () => {
    expect(findings.filter(({ kind }) => kind === 'not_understood' || kind === 'contradicts')).toEqual([]);
    for (const { line, from } of findings) expect(text.split('\n')[line! - 1], from).toBeDefined();
    const required = findings.find(({ says }) => says === 'required');
    if (required)
      expect(text.split('\n')[required.line! - 2]).toContain(`${required.field.split('.').at(-1)}:`);
  });
});
