import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { contractText, importContract } from '../../../src/cli/contract/import-contract.ts';
import { readContract } from '../../../src/core/operator/contract-file.ts';
import { findingsOf, imported, OPERATOR_DOCUMENTS, operatorFile } from '../../support/operator-document.ts';

const note = (properties: Readonly<Record<string, unknown>>) => imported({ note: properties });
const noteRules = (properties: Readonly<Record<string, unknown>>) =>
  note(properties).contract.resources.notes!.fields!;

test('a document that demands nothing beyond the interface makes an empty contract', () => {
  const { contract, findings } = imported({});
  expect(contract.resources.notes).toEqual({ from: expect.any(String) });
  expect(findingsOf({ findings })).toEqual([]);
});

describe('what a schema says of the field that tells its types apart', () => {
  const typed = (by: string, own: object, ...types: readonly string[]) => ({
    oneOf: types.map(() => ({
      type: 'object',
      properties: { [by]: { type: 'string', ...own }, ...(by === 'type' && TRANSACTION) },
    })),
    discriminator: {
      propertyName: by,
      mapping: Object.fromEntries(types.map((type, index) => [type, `#/components/schemas/T${index}`])),
    },
  });
  const TRANSACTION = {
    transaction_id: { type: 'string' },
    transaction_date: { type: 'string' },
    amount: {},
  };
  const withSchemas = ({ oneOf, discriminator }: ReturnType<typeof typed>) => ({
    schema: { oneOf: oneOf.map((_, index) => ({ $ref: `#/components/schemas/T${index}` })), discriminator },
    schemas: Object.fromEntries(oneOf.map((each, index) => [`T${index}`, each])),
  });
  const linesOf = (found: ReturnType<typeof imported>, name: string) =>
    findingsOf(found).filter((line) => line.includes(` ${name}: `));

  test.each(
    Object.entries<[object, readonly string[], string]>({
      'a pattern': [
        { pattern: '^[A-Z]+$' },
        ['CHARGE', 'PAYMENT'],
        'tightens transactions.type: only CHARGE, PAYMENT',
      ],
      'a length': [{ maxLength: 6 }, ['CHARGE'], 'tightens transactions.type: only CHARGE'],
      'a pattern of no type': [
        { pattern: '^x' },
        ['CHARGE', 'PAYMENT', 'SUPPLY_CHARGE'],
        'not_understood transactions.type: its pattern or its lengths fit no type, so they are not applied',
      ],
    }),
  )('%s takes the types of records that fit it', (_, [own, values, line]) => {
    const { schema, schemas } = withSchemas(typed('type', own, 'CHARGE', 'PAYMENT', 'SUPPLY_CHARGE'));
    const found = imported({ transactionSchema: schema, schemas });
    expect(found.contract.resources.transactions!.fields!['type']).toMatchObject({ values });
    expect(linesOf(found, 'transactions.type')).toContain(line);
  });

  test('takes the types of an added object that fit it', () => {
    const { schema, schemas } = withSchemas(typed('kind', { pattern: '^[A-Z]+$' }, 'METER', 'SUPPLY_POINT'));
    const found = imported({ note: { target: schema }, schemas });
    const { target } = found.contract.resources.notes!.fields!;
    expect(Object.keys(target!.types!.of)).toEqual(['METER']);
  });
});

describe('values', () => {
  test.each(
    Object.entries<[object, object]>({
      'a length': [{ type: 'string', maxLength: 9 }, { max_length: 9 }],
      'no empty text': [{ type: 'string', minLength: 1 }, { min_length: 1 }],
      'a closed list': [{ type: 'string', enum: ['A', 'B'] }, { values: ['A', 'B'] }],
      'the empty text in a list': [{ type: 'string', enum: ['', 'A'] }, { values: ['', 'A'] }],
      'null in a list': [{ type: 'string', nullable: true, enum: ['A', null] }, { values: ['A'] }],
      'one value': [{ const: 'A' }, { values: ['A'] }],
      'a pattern': [{ type: 'string', pattern: '^A' }, { patterns: ['^A'] }],
      'a date': [{ type: 'string', format: 'date' }, { adds: 'date' }],
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
        { max_length: 5 },
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
    expect(noteRules({ body: schema })).toEqual({ body: { from: expect.any(String), ...rules } });
  });

  test.each(
    Object.entries<[object, object]>({
      'a text': [
        { type: 'string', maxLength: 3 },
        { adds: 'text', max_length: 3 },
      ],
      'true or false': [{ type: 'boolean' }, { adds: 'boolean' }],
      'a date': [{ type: 'string', format: 'date' }, { adds: 'date' }],
      'a date-time': [{ type: 'string', format: 'date-time' }, { adds: 'datetime' }],
      'a whole number': [
        { type: 'integer', minimum: 1 },
        { adds: 'decimal', digits: { places: 0 }, minimum: '1', wire: 'number' },
      ],
      'a number above a limit in 3.0': [
        { type: 'number', minimum: 0, exclusiveMinimum: true },
        { adds: 'decimal', above: '0', wire: 'number' },
      ],
      'a number with two limits at each side, the tighter ones first': [
        {
          type: 'number',
          allOf: [
            { minimum: 3, maximum: 7 },
            { minimum: 1, maximum: 9 },
          ],
        },
        { adds: 'decimal', minimum: '3', maximum: '7', wire: 'number' },
      ],
      'a number with two limits at each side, the tighter ones last': [
        {
          type: 'number',
          allOf: [
            { minimum: 1, maximum: 9 },
            { minimum: 3, maximum: 7 },
          ],
        },
        { adds: 'decimal', minimum: '3', maximum: '7', wire: 'number' },
      ],
      'an object with two lists of required fields': [
        {
          type: 'object',
          properties: { a: { type: 'string' }, b: { type: 'string' } },
          allOf: [{ required: ['a'] }, { required: ['b'] }],
        },
        { adds: 'object', fields: { a: { required: true }, b: { required: true } } },
      ],
      'a number with steps': [
        { type: 'number', multipleOf: 0.001 },
        { adds: 'decimal', digits: { places: 3 }, wire: 'number' },
      ],
      'a decimal as text': [
        { type: 'string', format: 'decimal', pattern: '^-?\\d{0,6}(?:\\.\\d{0,2})?$' },
        { adds: 'decimal', digits: { whole: 6, places: 2 }, wire: 'string' },
      ],
      'a decimal without a sign': [
        { type: 'string', format: 'decimal', pattern: '^\\d+(\\.\\d{1,2})?$' },
        { adds: 'decimal', digits: { places: 2 }, minimum: '0', wire: 'string' },
      ],
      'a decimal with a pattern of its own': [
        { type: 'string', format: 'decimal', pattern: '^\\d\\.\\d{2}$' },
        { adds: 'decimal', patterns: ['^\\d\\.\\d{2}$'], wire: 'string' },
      ],
      anything: [{}, { adds: 'json' }],
      'a free object': [{ type: 'object' }, { adds: 'object', fields: {}, others: 'any' }],
      'an object of texts': [
        { type: 'object', additionalProperties: { type: 'string' } },
        { adds: 'object', fields: {}, others: { adds: 'text' } },
      ],
      'a closed object': [
        {
          type: 'object',
          additionalProperties: false,
          required: ['a'],
          properties: { a: { type: 'string' } },
        },
        { adds: 'object', fields: { a: { adds: 'text', required: true } } },
      ],
      'a list': [
        { type: 'array', maxItems: 2, items: { type: 'string' } },
        { adds: 'list', max_items: 2, item: { adds: 'text' } },
      ],
    }),
  )('%s can be added', (_, [schema, rules]) => {
    expect(noteRules({ extra: schema })).toMatchObject({ extra: rules });
    expect(findingsOf(note({ extra: schema })).map((line) => line.split(' ')[0])).toEqual(['adds']);
  });

  test('OpenAPI 3.1 says null and limits in other words', () => {
    const { fields } = imported({
      openapi: '3.1.0',
      note: {
        body: { type: ['string', 'null'], maxLength: 5 },
        count: { type: 'number', exclusiveMinimum: 0 },
        one: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      },
    }).contract.resources.notes!;
    expect(fields).toMatchObject({
      body: { max_length: 5 },
      count: { adds: 'decimal', above: '0' },
      one: { adds: 'text', null: true },
    });
  });

  test('what would loosen the interface is not applied', () => {
    const { contract } = imported({
      transaction: {
        amount: { type: 'string', format: 'decimal', pattern: '^-?\\d{0,12}(?:\\.\\d{0,4})?$' },
        transaction_id: { type: 'string', nullable: true },
        reason: { type: 'string', enum: ['', 'A'] },
      },
    });
    const { fields, types } = contract.resources.transactions!;
    expect(fields).not.toHaveProperty('transaction_id');
    expect(JSON.stringify(contract)).not.toContain('"digits"');
    expect(types!.of['CHARGE']!.fields!['reason']).toMatchObject({ values: ['A'] });
    expect(types!.of['PAYMENT']!.fields!['reason']).toMatchObject({ values: ['', 'A'] });
  });

  test.each(
    Object.entries<[Readonly<Record<string, unknown>>, string]>({
      'a limit that is no number': [{ maxLength: 'many' }, '`maxLength` is not a whole number of 0 or more'],
      'an empty list': [{ enum: [] }, 'no value is in the list: it is not checked'],
    }),
  )('%s is listed and not applied', (_, [keywords, says]) => {
    const { contract, findings } = note({ code: { type: 'string', ...keywords } });
    expect(contract.resources.notes!.fields!['code']).toEqual({ from: expect.any(String), adds: 'text' });
    expect(findings).toContainEqual(expect.objectContaining({ kind: 'not_understood', says }));
  });

  test('a pattern that looks ahead is listed and not applied', () => {
    const { contract, findings } = note({ code: { type: 'string', maxLength: 36, pattern: '^(?=a)' } });
    expect(contract.resources.notes!.fields!['code']).toEqual({
      from: expect.any(String),
      adds: 'text',
      max_length: 36,
    });
    expect(findings).toContainEqual(
      expect.objectContaining({
        kind: 'not_understood',
        says: 'the pattern is not checked: invalid or unsupported Perl syntax: `(?=`',
        from: expect.stringMatching(/\/code\/pattern$/),
      }),
    );
  });

  test('examples and defaults are never believed', () => {
    expect(
      noteRules({ body: { type: 'string', maxLength: 5, example: 'longer than five', default: 7 } }),
    ).toMatchObject({
      body: { max_length: 5 },
    });
  });
});

describe('fields', () => {
  test('a field of the interface that the operator does not have is not sent', () => {
    const { contract, findings } = imported({
      noteSchema: { type: 'object', properties: { body: { type: 'string' } } },
    });
    expect(contract.resources.notes!.fields!['is_pinned']).toMatchObject({ absent: true });
    expect(findingsOf({ findings })).toContain('tightens notes.is_pinned: is not a field here');
  });

  test('an object that takes anything forbids no field', () => {
    const { contract } = imported({
      noteSchema: { type: 'object', additionalProperties: true, properties: { body: { type: 'string' } } },
    });
    expect(contract.resources.notes).not.toHaveProperty('fields');
  });

  test('a field of answers is not sent', () => {
    expect(
      noteRules({ id: { type: 'integer', readOnly: true }, extra: { type: 'string' } }),
    ).not.toHaveProperty('id');
  });

  test('a required field of the interface that is missing in the document stays required', () => {
    const { findings, contract } = imported(
      {
        transactionSchema: {
          type: 'object',
          properties: { transaction_id: { type: 'string' }, amount: {}, type: {} },
        },
      },
      [],
    );
    expect(findingsOf({ findings })).toContain(
      'contradicts transactions.transaction_date: is not in the document, and required by the interface, which wins in any case',
    );
    expect(JSON.stringify(contract.resources.transactions)).not.toContain('transaction_date');
  });

  test('a deprecated field names the field to use instead', () => {
    expect(noteRules({ body: { type: 'string', deprecated: true, 'x-use-instead': 'text' } })).toMatchObject({
      body: { deprecated: { instead: 'text' } },
    });
  });

  test.each(['__proto__', 'constructor', 'a b', ''])('no field can have the name %j', (name) => {
    const schema = JSON.parse(
      `{"type":"object","properties":{"body":{"type":"string"},${JSON.stringify(name)}:{"type":"string"}}}`,
    ) as Record<string, unknown>;
    const { contract, findings } = imported({ noteSchema: schema });
    expect(Object.keys(contract.resources.notes!.fields!)).not.toContain(name);
    expect(findingsOf({ findings }).join()).toContain('has a name that no field can have');
  });

  test('fields beside the records are reported, and dry_run is known', () => {
    const { contract, findings } = imported({
      body: { dry_run: { type: 'boolean' }, batch_name: { type: 'string' } },
    });
    expect(contract.resources.transactions!.dry_run).toMatchObject({
      from: expect.stringContaining('dry_run'),
    });
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

  test('the mapping of the discriminator decides, although the branches overlap', () => {
    const mapping = { CREDIT: '#/components/schemas/A', CHARGE: 'B' };
    const { contract, findings } = imported({
      schemas,
      transactionSchema: { oneOf: refs, discriminator: { propertyName: 'type', mapping } },
    });
    const { types, fields } = contract.resources.transactions!;
    expect(types!.of['CREDIT']!.fields!['reason']).toMatchObject({ max_length: 1 });
    expect(types!.of['CHARGE']!.fields!['reason']).toMatchObject({ max_length: 2 });
    expect(fields!['type']).toMatchObject({ values: ['CHARGE', 'CREDIT'] });
    expect(findingsOf({ findings })).toContain('tightens transactions.type: only CHARGE, CREDIT');
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
    expect(contract.resources.transactions!.types!.of['CREDIT']!.fields!['reason']).toMatchObject({
      max_length: 1,
    });
  });

  test('branches that cannot be told apart are reported and never tried', () => {
    const { contract, findings } = imported({ schemas, transactionSchema: { oneOf: refs } });
    expect(contract.resources.transactions).toEqual({ from: expect.any(String) });
    expect(findingsOf({ findings })).toContain(
      'not_understood transactions: `oneOf` has 2 branches that cannot be told apart: neither a mapping of a discriminator nor a field with one value in each',
    );
  });

  test('a type that the interface does not have is ignored', () => {
    const mapping = { CREDIT: 'A', VOUCHER: 'B' };
    const { contract } = imported({
      schemas,
      transactionSchema: { oneOf: refs, discriminator: { propertyName: 'type', mapping } },
    });
    expect(contract.resources.transactions!.fields!['type']).toMatchObject({ values: ['CREDIT'] });
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
      adds: 'object',
      types: {
        by: 'kind',
        of: { POINT: { fields: { at: { adds: 'text' } } }, REGISTER: { fields: { no: { adds: 'text' } } } },
      },
    });
  });
});

describe('contradictions', () => {
  const parts = { transaction: { transaction_date: { type: 'string', format: 'date-time' } } };

  test('the interface counts', () => {
    const { contract, findings } = imported(parts);
    expect(findingsOf({ findings })).toEqual([
      'contradicts transactions.transaction_date: is date-time, and date in the interface, which wins: records are told apart, dated and added up by it: every such record would be refused',
    ]);
    expect(contract.refusals).toContainEqual(
      expect.objectContaining({ resource: 'transactions', field: 'transaction_date' }),
    );
    expect(JSON.stringify(contract.resources)).not.toContain('transaction_date');
  });

  test('the document counts where its name is accepted', () => {
    const coded = { transaction: { product_code: { type: 'boolean' } } };
    const { contract, unused } = imported(coded, ['transactions.product_code', 'transactions.amount']);
    expect(contract.accepted).toEqual(['transactions.product_code']);
    expect(contract.resources.transactions!.fields!['product_code']).toMatchObject({ adds: 'boolean' });
    expect(unused).toEqual(['transactions.amount']);
  });

  test.each(['transaction_id', 'type', 'amount', 'transaction_date'])(
    'the kind of %s cannot be accepted, because runs and control totals depend on it',
    (field) => {
      const name = `transactions.${field}`;
      const { contract, unused, findings } = imported({ transaction: { [field]: { type: 'object' } } }, [
        name,
      ]);
      expect({ accepted: contract.accepted, unused }).toEqual({ accepted: [], unused: [name] });
      expect(JSON.stringify(contract.resources.transactions)).not.toContain(`"${field}":{"from"`);
      const found = findings.find(({ kind }) => kind === 'contradicts');
      expect(found).toMatchObject({ field });
      expect(found).not.toHaveProperty('accepted');
    },
  );

  test('the kind of an account number cannot be accepted', () => {
    const number = { external_account_number: { type: 'object' } };
    const { unused } = imported({ body: number }, ['transactions.external_account_number']);
    expect(unused).toEqual(['transactions.external_account_number']);
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

test('nothing is left out in silence: each keyword is applied, or listed with its pointer', () => {
  const { findings } = note({
    extra: { type: 'string', format: 'email', 'x-own': 1, not: {}, minProperties: 1 },
    step: { type: 'number', multipleOf: 0.3 },
    mixed: { type: ['string', 'boolean'] },
  });
  expect(
    findings
      .filter(({ kind }) => kind !== 'adds')
      .map(({ kind, says, from }) => `${kind} ${says} ${from.split('/').slice(-2).join('/')}`),
  ).toEqual(
    expect.arrayContaining([
      'not_understood the format `email` is not checked extra/format',
      'not_understood `not` is not checked extra/not',
      'not_understood `minProperties` is not checked extra/minProperties',
      'not_understood `multipleOf` is not checked step/multipleOf',
      'not_understood has several types, or types that exclude each other: not checked mixed/type',
    ]),
  );
});

test('a schema that contains itself is reported, and the rest is read', () => {
  const { contract, findings } = imported({
    schemas: {
      Tree: {
        type: 'object',
        properties: { name: { type: 'string' }, child: { $ref: '#/components/schemas/Tree' } },
      },
    },
    note: { tree: { $ref: '#/components/schemas/Tree' } },
  });
  expect(findingsOf({ findings })).toContain(
    'not_understood notes.tree.child: contains itself, so it has no end',
  );
  expect(contract.resources.notes!.fields!['tree']).toMatchObject({ fields: { name: { adds: 'text' } } });
});

describe.each(OPERATOR_DOCUMENTS)('the made-up operator %s, %s', (folder, name, contractName) => {
  const text = operatorFile(folder, name);
  const written = readContract(contractName, operatorFile(folder, contractName));
  const sha256 = createHash('sha256').update(text).digest('hex');
  const { contract, findings } = importContract(
    { file: name, text, sha256 },
    { accept: [], today: written.document.imported as never },
  );

  test('has a document of a thousand lines and sixteen paths', () => {
    expect(text.split('\n').length).toBeGreaterThan(1_000);
    expect(text.match(/^ {2}'?\/v1\/data-import/gm)).toHaveLength(16);
  });

  test('has the contract that its document makes', () => {
    expect(contractText(contract)).toBe(operatorFile(folder, contractName));
  });

  test('says nothing that is not understood, and each line leads to its place', () => {
    expect(findings.filter(({ kind }) => kind === 'not_understood' || kind === 'contradicts')).toEqual([]);
    for (const { line, from } of findings) expect(text.split('\n')[line - 1], from).toBeDefined();
    const required = findings.find(({ says }) => says === 'is required');
    if (required)
      expect(text.split('\n')[required.line - 2]).toContain(`${required.field.split('.').at(-1)}:`);
  });
});
