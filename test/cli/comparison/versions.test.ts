import { expect, test } from 'vitest';
import type { SentRecord, SourceRecord, Unpaired } from '../../../src/cli/comparison/ports.ts';
import { compareVersions } from '../../../src/cli/comparison/versions.ts';
import { sentRecord } from '../../support/compared-record.ts';

function compared(earlier: readonly SentRecord[], later: readonly SentRecord[], haveIds = true) {
  const [missing, extra]: [SourceRecord[], SentRecord[]] = [[], []];
  const unpaired = {
    addMissing: (record: SourceRecord) => void missing.push(record),
    addExtra: (record: SentRecord) => void extra.push(record),
    *pairs(): Generator<Unpaired<SentRecord>> {
      for (const source of missing) {
        const at = extra.findIndex(({ key }) => key === source.key);
        yield { source, found: at < 0 ? null : extra.splice(at, 1)[0]! };
      }
      for (const found of extra) yield { source: null, found };
    },
  };
  const { records, differences } = compareVersions({ earlier, later, unpaired, haveIds });
  const told = differences.map((each) =>
    `${each.kind} ${each.earlier?.seq ?? '-'} ${each.later?.seq ?? '-'} ${each.fields.join()}`.trim(),
  );
  return { records, told };
}

const earlier = [
  sentRecord({ key: 'a', seq: 1 }),
  sentRecord({ key: 'b', seq: 2 }),
  sentRecord({ key: 'c', seq: 3 }),
  sentRecord({ key: 'd', seq: 4 }),
];

test('a record stays, changes, moves to another account, vanishes, or is new', () => {
  const later = [
    sentRecord({ key: 'a', seq: 11 }),
    sentRecord({ key: 'b', seq: 12, amount: '2', type: 'PAYMENT', content: Buffer.from('x') }),
    sentRecord({ key: 'e', seq: 13 }),
    sentRecord({ key: 'c', seq: 14, external_account_number: '2' }),
  ];
  expect(compared(earlier, later)).toEqual({
    records: { earlier: 4, later: 4, unchanged: 1, changed: 1, moved: 1, new: 1, vanished: 1 },
    told: ['changed 2 12 type,amount,content', 'moved 3 14', 'vanished 4 -', 'new - 13'],
  });
});

test('a record without an id never moves', () => {
  const later = [sentRecord({ key: 'a', seq: 11, external_account_number: '2' })];
  expect(compared(earlier.slice(0, 1), later, false)).toEqual({
    records: { earlier: 1, later: 1, unchanged: 0, changed: 0, moved: 0, new: 1, vanished: 1 },
    told: ['vanished 1 -', 'new - 11'],
  });
});

test('of records with one key the equal ones are paired first, then those with the same variant', () => {
  const [x, y] = [Buffer.from('x'), Buffer.from('y')];
  const before = [
    sentRecord({ seq: 1, variant: 'v', content: x }),
    sentRecord({ seq: 2, variant: 'v', content: y }),
  ];
  const after = [
    sentRecord({ seq: 11, variant: 'v', content: y }),
    sentRecord({ seq: 12, variant: 'v', content: Buffer.from('z') }),
    sentRecord({ seq: 13, variant: 'w', content: x }),
  ];
  expect(compared(before, after, false)).toEqual({
    records: { earlier: 2, later: 3, unchanged: 1, changed: 1, moved: 0, new: 1, vanished: 0 },
    told: ['changed 1 12 content', 'new - 13'],
  });
});
