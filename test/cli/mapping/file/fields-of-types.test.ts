import { describe, expect, test } from 'vitest';
import { openSourceFile } from '../../../../src/cli/csv/source-file.ts';
import { missingFieldsOfTypes } from '../../../../src/cli/mapping/file/fields-of-types.ts';
import { needMapping } from '../../../../src/cli/mapping/file/load-mapping.ts';
import { DESCRIPTORS as INTERFACE, type Descriptors } from '../../../../src/core/contract/resources.ts';
import type { OperatorContract } from '../../../../src/core/operator/contract.ts';
import { narrowedDescriptors } from '../../../../src/core/operator/narrow.ts';
import { attrOfPath } from '../../../../src/core/problem.ts';
import { CHARGES, folderWith, type Files } from '../../../support/mapping-files.ts';

const from = '';
const needed = { from, adds: 'text', required: true } as const;
const extra = { from, adds: 'text' } as const;

const partsWith = (field: object) => ({
  meter: { from, adds: 'object', fields: { serial: field, place: extra } },
  readings: { from, adds: 'list', item: { from, adds: 'object', fields: { value: field, unit: extra } } },
});

/** A charge needs a reason and a code, a payment needs parts of its object and of its list. Both may have an object of two types. */
const transactions = {
  from,
  fields: {
    tags: { from, adds: 'list', item: extra },
    target: {
      from,
      adds: 'object',
      types: {
        by: 'kind',
        of: {
          REGISTER: { from, fields: { register: needed } },
          POINT: { from, fields: { point: needed, grid: needed } },
        },
      },
    },
  },
  types: {
    by: 'type',
    of: {
      CHARGE: { from, fields: { ...partsWith(extra), reason: { from, required: true }, code: needed } },
      PAYMENT: { from, fields: partsWith(needed) },
    },
  },
};
const { target } = transactions.fields;
const contract = {
  document: { title: 'Operator' },
  rules: [],
  resources: { transactions, notes: { from, fields: { target } } },
};
const DESCRIPTORS = narrowedDescriptors(contract as unknown as OperatorContract, 'file');

/** The fields that are missing: `line:column path: fields, type`. */
async function missing(text: string, files: Files = {}, descriptors: Descriptors = DESCRIPTORS) {
  const folder = folderWith({ 'm.yaml': text, ...files });
  const mapping = await needMapping('m.yaml', (name) => openSourceFile(name, folder), descriptors);
  return missingFieldsOfTypes(mapping, descriptors).map(
    ({ problem: { code, severity, path, facts }, line, column }) => {
      expect([code, severity]).toEqual(['mapping_fields_missing', 'error']);
      return `${line}:${column} ${attrOfPath(path)}: ${String(facts['fields'])}${String(facts['type'] ?? '')}`;
    },
  );
}

const withType = (type: string, more = ''): string =>
  `${CHARGES.replace(/ {2}type: .*\n/, '')}  type: ${type}\n${more}`;
const OF_CHARGE = '4:3 fields: `reason`, `code` of the type `CHARGE`';

test.each<readonly [string, string, readonly string[]]>([
  ['{ constant: CHARGE }', '', [OF_CHARGE]],
  ['{ constant: CHARGE }', '  reason: R\n', ['4:3 fields: `code` of the type `CHARGE`']],
  ['{ constant: CHARGE }', '  reason: R\n  code: C\n', []],
  ['{ constant: PAYMENT }', '', []],
  ['T', '', []],
  ['[{ constant: CHARGE, when: { column: T, in: [C] } }, { constant: PAYMENT }]', '', [OF_CHARGE]],
  ['[{ constant: CHARGE, when: { column: T, in: [C] } }, { column: T }]', '', []],
  [
    '[{ constant: CHARGE, when: { column: T, in: [C] } }, { column: T, lookup: { C: CHARGE } }]',
    '',
    [OF_CHARGE],
  ],
  ['{ column: T, lookup: { P: PAYMENT, C: CHARGE } }', '', [OF_CHARGE]],
  ['{ column: T, lookup: { P: PAYMENT }, otherwise: CHARGE }', '', [OF_CHARGE]],
  ['{ column: T, lookup: { C: CHARGE }, otherwise: keep }', '', []],
  ['{ column: T, lookup: { file: t.csv, key: from, value: to } }', '', [OF_CHARGE]],
  ['{ column: T, lookup: { file: t.csv, key: from, value: to }, otherwise: keep }', '', []],
  ['{ column: T, lookup: { file: p.csv, key: from, value: to } }', '', []],
])('the type %s, beside %j, lacks %j', async (type, more, expected) => {
  const files = { 't.csv': 'from,to\nC,CHARGE\nP,PAYMENT\n', 'p.csv': 'from,to\nP,PAYMENT\n' };
  expect(await missing(withType(type, more), files)).toEqual(expected);
});

describe('an object inside of a record lacks', () => {
  const ofPayment = (line: string) => missing(withType('{ constant: PAYMENT }', `  ${line}\n`));
  const OF_PAYMENT = ' of the type `PAYMENT`';

  test.each<readonly [string, readonly string[]]>([
    ['meter: { fields: { serial: S } }', []],
    ['meter: M', []],
    ['meter: { fields: { place: P } }', [`9:20 fields.meter.fields: \`serial\`${OF_PAYMENT}`]],
    [
      'meter: [{ column: M, when: { column: M, is: present } }, { fields: { place: P } }]',
      [`9:70 fields.meter.1.fields: \`serial\`${OF_PAYMENT}`],
    ],
    ['tags: { items: [A, B] }', []],
    ['readings: R', []],
    [
      'readings: { items: [{ unit: U }, { value: V }, { unit: U }] }',
      [
        `9:23 fields.readings.items.0: \`value\`${OF_PAYMENT}`,
        `9:50 fields.readings.items.2: \`value\`${OF_PAYMENT}`,
      ],
    ],
    ['target: { fields: { kind: { constant: REGISTER }, register: R } }', []],
    [
      'target: { fields: { kind: { constant: REGISTER } } }',
      ['9:21 fields.target.fields: `register` of the type `REGISTER`'],
    ],
    [
      'target: { fields: { kind: { column: K, lookup: { r: REGISTER, p: POINT } }, register: R } }',
      ['9:21 fields.target.fields: `point`, `grid` of the type `POINT`'],
    ],
    ['target: { fields: { kind: K } }', []],
    [
      'target: [{ fields: { kind: K }, when: { column: K, is: present } }, { fields: { kind: { constant: POINT }, grid: G } }]',
      ['9:81 fields.target.1.fields: `point` of the type `POINT`'],
    ],
  ])('%s: %j', async (line, expected) => {
    expect(await ofPayment(line)).toEqual(expected);
  });

  test('the same for every type of the record, once, and also without types', async () => {
    const both = '{ column: T, lookup: { P: CREDIT, R: REPAYMENT } }';
    const line = '  target: { fields: { kind: { constant: REGISTER } } }\n';
    const found = 'fields.target.fields: `register` of the type `REGISTER`';
    expect(await missing(withType(both, line))).toEqual([`9:21 ${found}`]);
    expect(await missing(withType('T', line))).toEqual([`9:21 ${found}`]);
    const note = `version: 1\nresource: notes\nfields:\n  external_account_number: K\n${line}`;
    expect(await missing(note)).toEqual([`5:21 ${found}`]);
  });

  test('nothing where every type is as in the interface', async () => {
    expect(await missing(CHARGES, {}, INTERFACE)).toEqual([]);
  });
});
