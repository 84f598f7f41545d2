import { expect, test } from 'vitest';
import { Findings, inside, nameOf, pointerOf } from '../../../src/core/operator/finding.ts';

test('a finding is named by its resource, its types and its field', () => {
  expect(nameOf({ resource: 'transactions', types: ['CHARGE', 'PAYMENT'], field: 'reason' })).toBe(
    'transactions.CHARGE|PAYMENT.reason',
  );
  expect(nameOf({ resource: 'notes', types: [], field: '' })).toBe('notes');
  expect(nameOf({ resource: null, types: [], field: 'servers' })).toBe('servers');
});

test('the place of a member has a point, and the place of an item has none', () => {
  const record = { resource: 'transactions', type: null, field: '' } as const;
  const list = inside(record, 'line_items');
  expect(list).toEqual({ ...record, field: 'line_items' });
  expect(inside(list, '[]').field).toBe('line_items[]');
  expect(inside(inside(list, '[]'), 'rate').field).toBe('line_items[].rate');
});

test('a pointer escapes what has a meaning in pointers', () => {
  expect(pointerOf(['paths', '/v1/a~b/', 0])).toBe('/paths/~1v1~1a~0b~1/0');
  expect(pointerOf([])).toBe('');
});

const charge = { resource: 'transactions', type: 'CHARGE', field: 'reason' } as const;
const typesOf = (): readonly string[] => ['CHARGE', 'PAYMENT'];

test('the same thing of some types names them, and of each type names none', () => {
  const findings = new Findings();
  findings.add('adds', charge, 'text', '/a');
  findings.add('adds', charge, 'text', '/a');
  expect(findings.all(typesOf)).toEqual([
    { kind: 'adds', resource: 'transactions', types: ['CHARGE'], field: 'reason', says: 'text', from: '/a' },
  ]);
  findings.add('adds', { ...charge, type: 'PAYMENT' }, 'text', '/a');
  expect(findings.all(typesOf).map(({ types }) => types)).toEqual([[]]);
  expect(findings.all(() => ['CHARGE', 'PAYMENT', 'CREDIT']).map(({ types }) => types)).toEqual([
    ['CHARGE', 'PAYMENT'],
  ]);
  // A resource without types.
  expect(findings.all(() => []).map(({ types }) => types)).toEqual([['CHARGE', 'PAYMENT']]);
});

test('what is said of every type stays said of every type', () => {
  const findings = new Findings();
  findings.add('adds', charge, 'text', ['a']);
  findings.add('adds', { ...charge, type: null }, 'text', '/a');
  findings.add('adds', { ...charge, type: 'PAYMENT' }, 'text', '/a');
  expect(findings.all(() => ['CHARGE', 'PAYMENT', 'CREDIT']).map(({ types }) => types)).toEqual([[]]);
});

test('another place, kind, field or sentence is another finding, in the order of kinds', () => {
  const findings = new Findings();
  const nowhere = { resource: null, type: null, field: 'servers' };
  findings.addRefusal('not_understood', charge, 'is unknown', '/b');
  findings.addFailure('contradicts', charge, 'has no list', '/b', false);
  findings.add('contradicts', { ...charge, field: 'note' }, 'is required', '/b', true);
  findings.add('adds', charge, 'text', '/a');
  findings.add('adds', charge, 'text', '/b');
  findings.add('adds', nowhere, 'text', '/b');
  const common = { resource: 'transactions', types: ['CHARGE'], field: 'reason' };
  expect(findings.all(typesOf)).toEqual([
    { ...common, kind: 'adds', says: 'text', from: '/a' },
    { ...common, kind: 'adds', says: 'text', from: '/b' },
    { kind: 'adds', resource: null, types: [], field: 'servers', says: 'text', from: '/b' },
    { ...common, kind: 'contradicts', says: 'has no list', failsAll: true, accepted: false, from: '/b' },
    { ...common, kind: 'contradicts', field: 'note', says: 'is required', accepted: true, from: '/b' },
    {
      ...common,
      kind: 'not_understood',
      says: 'is unknown: every request would be refused',
      failsAll: true,
      from: '/b',
    },
  ]);
});

test('findings of others are taken over as asked', () => {
  const [all, others] = [new Findings(), new Findings()];
  others.add('adds', charge, 'text', '/a');
  others.add('loosens', charge, 'is optional', '/a');
  all.take(others, ({ kind }) => kind === 'loosens');
  expect(all.all(typesOf).map(({ says }) => says)).toEqual(['is optional']);
});
