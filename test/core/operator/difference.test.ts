import { describe, expect, test } from 'vitest';
import { differenceOf } from '../../../src/cli/contract/difference.ts';
import { nameOf } from '../../../src/cli/contract/finding.ts';
import type { OperatorContract } from '../../../src/core/operator/contract.ts';

function difference(before: OperatorContract, after: OperatorContract): readonly string[] {
  return differenceOf(before, after).map((change) => `${change.kind} ${nameOf(change)}: ${change.says}`);
}

/** A contract of the parts that a case is about. */
function contract(parts: Partial<OperatorContract>): OperatorContract {
  const document = {
    title: 'T',
    version: '1',
    openapi: '3.0.3',
    file: 'f',
    sha256: '0',
    imported: '2026-01-01',
  };
  return { version: 3, document, account_number: {}, resources: {}, schemas: {}, rules: [], ...parts };
}

type Parts = Partial<OperatorContract>;
type Json = Readonly<Record<string, unknown>>;

/** A contract of notes with fields beside those of the interface, and with other parts of their requests. */
function ofNotes(fields: Json, request: object = {}, account: Json = {}): Parts {
  const record = { type: 'object', additionalProperties: true, properties: fields };
  const body = {
    type: 'object',
    properties: {
      import_supplier: { type: 'string' },
      external_account_number: { type: 'string', ...account },
      notes: { type: 'array', items: record },
    },
  };
  return {
    resources: { notes: { from: '/n', body: '/body', record: '/body/properties/notes/items', ...request } },
    schemas: { body },
  };
}
const meter = (...kinds: readonly string[]): Json => ({
  meter: {
    'x-types': {
      by: 'kind',
      of: Object.fromEntries(kinds.map((kind) => [kind.charAt(0), fieldsOf(kind)])),
    },
  },
});
const fieldsOf = (kind: string): Json => ({
  type: 'object',
  properties: kind.includes('x') ? { kind: {}, x: { type: 'string' } } : { kind: {} },
});

describe('parts of a contract that change, and change back', () => {
  test.each(
    Object.entries<[Parts, Parts, readonly string[], readonly string[]]>({
      dry_run: [
        ofNotes({}),
        ofNotes({}, { dry_run: { from: '/d' } }),
        ['added notes.dry_run: is added: true or false'],
        ['removed notes.dry_run: is not a field any more'],
      ],
      'dry_run that has to be said': [
        ofNotes({}, { dry_run: { from: '/d' } }),
        ofNotes({}, { dry_run: { from: '/d', required: true } }),
        ['tightened notes.dry_run: required'],
        ['loosened notes.dry_run: no longer required'],
      ],
      'a field of the account': [
        ofNotes({}),
        ofNotes({}, {}, { maxLength: 9 }),
        ['tightened notes.external_account_number: at most 9 characters'],
        ['loosened notes.external_account_number: at most 128 characters'],
      ],
      'the kind of a field': [
        ofNotes({ extra: { type: 'string' } }),
        ofNotes({ extra: { type: 'string', format: 'date' } }),
        ['tightened notes.extra: is now date, and was text'],
        ['tightened notes.extra: is now text, and was date'],
      ],
      'a type of an added object': [
        ofNotes(meter('A')),
        ofNotes(meter('A', 'B')),
        ['loosened notes.meter.kind: takes B, too'],
        ['tightened notes.meter.kind: no longer takes B'],
      ],
      'a field of a type of an added object': [
        ofNotes(meter('A')),
        ofNotes(meter('Ax')),
        ['added notes.meter.x: is added: text'],
        ['removed notes.meter.x: is not a field any more'],
      ],
      'the only server': [
        { servers: [] },
        { servers: ['https://b.example'] },
        ['changed servers: the servers are https://b.example, and were none: compare the base URL'],
        ['changed servers: the servers are none, and were https://b.example: compare the base URL'],
      ],
      'a rule that is turned off': [
        { rules: [{ code: 'own_code', title: 'A title', from: '/r' }] },
        { rules: [{ code: 'own_code', title: 'A title', from: '/r', off: true }] },
        ['loosened own_code: is turned off'],
        ['tightened own_code: is not turned off any more'],
      ],
    }),
  )('%s', (_, [before, after, there, back]) => {
    expect(difference(contract(before), contract(after))).toEqual(there);
    expect(difference(contract(after), contract(before))).toEqual(back);
  });
});

describe('a rule of a request that is gone', () => {
  const rule = { code: 'own_code', title: '', from: '/r', resources: ['notes' as const] };
  const before = contract({ ...ofNotes({}), rules: [rule] });
  const looser = 'loosened own_code: is no rule any more';

  test.each(
    Object.entries<[Parts, boolean]>({
      'where the records are still described': [ofNotes({}), true],
      'where they are not described any more': [
        { resources: { statements: { from: '/s', body: '/body' } }, schemas: { body: {} } },
        false,
      ],
      'where the document says something else': [
        { ...ofNotes({}), not_enforced: [{ resource: 'notes', says: 'is a number', from: '/n' }] },
        true,
      ],
    }),
  )('is looser %s: %s', (_, [after, isLooser]) => {
    expect(difference(before, contract(after)).includes(looser)).toBe(isLooser);
  });
});
