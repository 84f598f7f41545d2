import { describe, expect, test } from 'vitest';
import { cellOf } from '../../../../src/cli/mapping/column-map.ts';
import { pathOfAttr } from '../../../../src/core/problem.ts';
import { narrowedDescriptors } from '../../../../src/core/operator/narrow.ts';
import { mapped } from '../../../support/mapping-files.ts';
import { imported } from '../../../support/operator-document.ts';

/** An operator adds an object to notes, one to each of their documents, and one with any keys. */
const meter = {
  type: 'object',
  properties: { code: { type: 'string' }, rate: { type: 'number' }, is_new: { type: 'boolean' } },
  additionalProperties: false,
};
const place = {
  type: 'object',
  properties: { room: { type: 'string' }, shelf: { type: 'number' } },
  additionalProperties: false,
};
const documents = {
  type: 'array',
  items: {
    type: 'object',
    required: ['document_path'],
    properties: { document_path: { type: 'string' }, place },
  },
};
const descriptors = narrowedDescriptors(
  imported({ note: { meter, document_paths: documents, more: { type: 'object' } } }).contract,
  'file',
);

const notes = (fields: string, csv: string, source = '{}') =>
  mapped(
    {
      'm.yaml': `version: 1
resource: notes
source: ${source}
ignore: all
fields:
  import_supplier: { constant: ACME }
  external_account_number: K
  body: T
${fields}`,
      'x.csv': csv,
    },
    undefined,
    descriptors,
  );

describe('an object that an operator adds', () => {
  test('has the fields that are mapped, and is left out where all of its cells are empty', async () => {
    const { records, problems } = await notes(
      '  meter: { fields: { rate: R, code: C, is_new: { constant: true } } }\n',
      'K,T,C,R\n1,a,M-1,2.50\n1,b,,\n1,c,,3\n',
    );
    expect(records).toEqual([
      '{"body":"a","meter":{"code":"M-1","is_new":true,"rate":2.50}}',
      '{"body":"b"}',
      '{"body":"c","meter":{"is_new":true,"rate":3}}',
    ]);
    expect(problems).toEqual([]);
  });

  test('has conditions on its own fields and on those around it', async () => {
    const { records } = await notes(
      '  meter: { fields: { rate: { column: R, when: { field: code, in: [A] } }, is_new: { constant: true, when: { field: body, in: [b] } }, code: C } }\n',
      'K,T,C,R\n1,a,A,1\n1,b,B,2\n',
    );
    expect(records).toEqual([
      '{"body":"a","meter":{"code":"A","rate":1}}',
      '{"body":"b","meter":{"code":"B","is_new":true}}',
    ]);
  });

  test('has alternatives, of which the first that holds applies', async () => {
    const { records } = await notes(
      '  meter: [{ fields: { code: C }, when: { column: T, in: [a] } }, { fields: { rate: R } }]\n',
      'K,T,C,R\n1,a,A,1\n1,b,B,2\n',
    );
    expect(records).toEqual(['{"body":"a","meter":{"code":"A"}}', '{"body":"b","meter":{"rate":2}}']);
  });

  test('may be required', async () => {
    const { problems } = await notes(
      '  meter: { fields: { code: C }, required: true }\n',
      'K,T,C\n1,a,\n1,a,M\n',
    );
    expect(problems).toEqual(['required meter ::3']);
  });

  test('in a repeated item has the columns of its number, and its problem is at them', async () => {
    const { records, problems, plan, candidates } = await notes(
      "  document_paths: { repeat: { from: 1, to: 2 }, item: { document_path: 'P{n}', place: { fields: { room: { template: 'R-{R{n}}', when: { column: 'R{n}', is: present } }, shelf: [{ column: 'S{n}' }] } } } }\n",
      'K,T,P1,R1,S1,P2,R2,S2\n1,a,p,x,1,q,y,2\n1,b,,,,q,,z\n',
    );
    expect(records[0]).toBe(
      '{"body":"a","document_paths":[{"document_path":"p","place":{"room":"R-x","shelf":1}},{"document_path":"q","place":{"room":"R-y","shelf":2}}]}',
    );
    expect(problems).toEqual(['number_unreadable document_paths.0.place.shelf ::8']);
    const cell = cellOf(plan.columns, pathOfAttr('document_paths.0.document_path'), candidates[1]!.parts);
    expect(cell.header).toBe('P2');
  });
});

describe('an object of JSON Lines', () => {
  const lines = (...objects: readonly object[]) => objects.map((each) => JSON.stringify(each)).join('\n');
  const jsonNotes = (fields: string, ...objects: readonly object[]) =>
    notes(fields, lines(...objects), '{ type: jsonl }');

  test('is taken as it is, a text and a number apart', async () => {
    const { records, problems, header } = await jsonNotes(
      '  more: x\n',
      { K: '1', T: 'a', x: { n: '7', m: 7, deep: { l: [1, 'b'] } } },
      { K: '1', T: 'b', x: null },
      { K: '1', T: 'c' },
    );
    expect(records).toEqual([
      '{"body":"a","more":{"n":"7","m":7,"deep":{"l":[1,"b"]}}}',
      '{"body":"b"}',
      '{"body":"c"}',
    ]);
    expect([problems, header]).toEqual([[], []]);
  });
});
