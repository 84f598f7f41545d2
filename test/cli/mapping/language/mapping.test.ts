import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { mapJsonSchema } from '../../../../src/cli/mapping/language/mapping.ts';
import { DESCRIPTORS } from '../../../../src/core/contract/resources.ts';
import { problemsOf } from '../../../support/mapping-files.ts';

/** Without references that are inlined, compiling takes half of the time. */
const accepts = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false }).compile(
  mapJsonSchema() as object,
);

/** The problems of a mapping. Each mapping is read with new schemas, because schemas are made once for the same descriptors. */
const problemsIn = (text: string) => problemsOf({ 'm.yaml': text }, 'm.yaml', { ...DESCRIPTORS });

const NOTES = 'version: 1\nresource: notes\nfields:\n  external_account_number: K\n';
const TRANSACTIONS =
  'version: 1\nresource: transactions\nfields:\n  external_account_number: K\n  transaction_id: 007\n  transaction_date: D\n  amount: A\n  type: T\n';

const GOOD: readonly [string, string][] = [
  ['the shortest', NOTES],
  [
    'every key of the source',
    `${NOTES}source:
  encoding: windows-1252
  delimiter: ';'
  quote: '"'
  escape: '\\'
  skip_lines: 3
  trim: false
  null_tokens: ['', NULL]
  decimal_mark: ','
  thousands_mark: '.'
  negative: [leading, parentheses]
  positive_suffixes: [DR]
  negative_suffixes: [CR]
  date_format: [dd.MM.yyyy, iso]
  datetime_format: 'dd.MM.yyyy HH:mm:ss'
  time_zone: Europe/Berlin
  fold: earlier
  century: 2000
  months: [jan, feb, mrt, apr, mei, jun, jul, aug, sep, okt, nov, dec]
  end_mark: true
  true_tokens: [J, 1, true]
  false_tokens: [N]
  trailer: { cell: 1, starts_with: T, count: 2, sums: [{ cell: 3, column: A }] }
`,
  ],
  ['a file without a header', `${NOTES}source: { header: false, columns: [K, D] }\n`],
  [
    'fixed columns',
    `${NOTES}source: { fixed: [{ name: K, width: 10 }, { skip: 3 }], trailer: { cell: 1, equals: T, fixed: [{ width: 2 }] } }\n`,
  ],
  [
    'filter, continuation, ignore',
    `${NOTES}filter: [{ column: S, in: [X] }, [{ column: S, is: empty }, { column: K, matches: a }]]\ncontinuation: { key: [K] }\nignore: [A, B]\n`,
  ],
  ['ignore all', `${NOTES}continuation: { when: { column: K, is: empty } }\nignore: all\n`],
  ['alternatives', `${NOTES}  body: [{ constant: 5, when: { column: A, is: present } }, B]\n`],
  [
    'steps',
    `${NOTES}  body: { column: A, trim: true, replace: [{ pattern: a, with: b }], pad: { length: 5, with: 0 }, case: upper, lookup: { 1: x }, required: true }\n`,
  ],
  [
    'a list that is read from a cell, with steps',
    `${NOTES}  document_paths: { column: P, trim: true, null_tokens: [x], replace: [{ pattern: a, with: b }] }\n`,
  ],
  ['documents', `${NOTES}  document_paths: { items: [{ document_path: P }] }\n`],
  [
    'debit and credit',
    TRANSACTIONS.replace(
      'amount: A',
      'amount: { debit: S, credit: H, negate: true, unit: minor, minor_digits: 2 }',
    ),
  ],
  [
    'a sum of rows',
    `${TRANSACTIONS.replace('amount: A', 'amount: { column: A, sum: true }')}continuation: { key: [K] }\n`,
  ],
  [
    'a control record that is a sentence',
    `${NOTES}source: { trailer: { cell: 1, matches: '^\\d+ rows', count: 1 } }\n`,
  ],
  [
    'repeated items',
    `${TRANSACTIONS}  line_items: { repeat: { from: 1, to: 5 }, item: { start_date: 'S{n}', end_date: 'E{n}', number_of_units: 'U{n}', net_amount: 'N{n}', units: { items: [A, B] } } }\n`,
  ],
  [
    'rows',
    `${TRANSACTIONS}  tax_items: { rows: { when: { column: A, is: present }, item: { amount: A, tax_type: { constant: VAT }, value_taxed: V, rate: R, unit_type: U } } }\ncontinuation: { key: [K] }\n`,
  ],
  [
    'a joined file',
    `${TRANSACTIONS}  tax_items: { join: { file: p.csv, source: { delimiter: ';' }, key: { K: L }, item: { amount: A, tax_type: T, value_taxed: V, rate: R, unit_type: U } } }\n`,
  ],
];

describe('the published schema and the reader of mapping files agree', () => {
  test.each(GOOD)('both take %s', async (_, text) => {
    expect(await problemsIn(text)).toEqual([]);
    accepts(parse(text));
    expect(accepts.errors ?? []).toEqual([]);
  });
});

type JsonSchema = Readonly<Record<string, unknown>>;

/** Every key that a schema describes, with its own schema. */
function* keysIn(schema: unknown): Generator<readonly [string, JsonSchema]> {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [name, part] of Object.entries(schema)) {
    if (name === 'properties') yield* Object.entries(part as Readonly<Record<string, JsonSchema>>);
    yield* keysIn(part);
  }
}

describe('the published schema', () => {
  const schema = () => mapJsonSchema({ ...DESCRIPTORS }) as { $defs: Record<string, object> } & JsonSchema;

  test('has a description of every key, but for the fields and the parts of a step', () => {
    const { $defs, ...top } = schema();
    expect(top).toMatchObject({
      title: 'Mapping file of dataimport',
      $schema: 'https://json-schema.org/draft/2020-12/schema',
    });
    // Editors show the names of these.
    expect(Object.keys($defs)).toEqual(
      expect.arrayContaining([
        ...['text', 'decimal', 'date', 'datetime', 'boolean'].map((kind) => `${kind}_field`),
        ...['document_paths', 'line_items', 'tax_items'].map((list) => `item_of_${list}`),
        ...['document_paths', 'line_items', 'units', 'tax_items'].map((list) => `list_of_${list}`),
        'source',
        'joined_source',
        'table',
        'conditions',
        'continuation',
      ]),
    );
    const items = Object.entries($defs).filter(([name]) => name.startsWith('item_of_'));
    const fields = new Set(
      [...items.flatMap(([, item]) => [...keysIn(item)]), ...keysIn(top)]
        .filter(([, { description }]) => description === undefined)
        .map(([name]) => name),
    );
    expect([...fields]).toContain('external_account_number');
    const parts = [...keysIn($defs)].filter(([name, { description }]) => !description && !fields.has(name));
    expect(new Set(parts.map(([name]) => name))).toEqual(
      new Set(['pattern', 'with', 'length', 'width', 'from', 'to']),
    );
    const described = [...keysIn(schema())].filter(([, { description }]) => typeof description === 'string');
    expect(described.filter(([, { description }]) => !/^[^ ].*[.)]$/u.test(String(description)))).toEqual([]);
  });
});
