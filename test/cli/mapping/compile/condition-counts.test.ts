import { describe, expect, test } from 'vitest';
import { openSourceFile } from '../../../../src/cli/csv/source-file.ts';
import { ConditionCounts } from '../../../../src/cli/mapping/compile/condition-counts.ts';
import { needMapping } from '../../../../src/cli/mapping/file/load-mapping.ts';
import { conditionLists } from '../../../../src/cli/mapping/language/field-visits.ts';
import { CHARGES, folderWith, mapped } from '../../../support/mapping-files.ts';

const MAP = `${CHARGES}  note: { column: N, when: { column: N, is: present } }
ignore: all
filter:
  - [{ column: S, in: [a] }, { field: note, in: [b] }]
  - { column: S, in: [c] }
`;

/** The warnings after the lists of the field and of the filter were tested, and held, so often. */
async function warningsAfter(tallies: readonly { tested: number; held: number; each?: readonly number[] }[]) {
  const folder = folderWith({ 'm.yaml': MAP });
  const mapping = await needMapping('m.yaml', (name) => openSourceFile(name, folder));
  const counts = new ConditionCounts();
  for (const [at, { list }] of conditionLists(mapping.document).entries()) {
    const tally = tallies[at];
    if (!tally) continue;
    const count = counts.of(list);
    expect(counts.of(list)).toBe(count);
    count.tested = tally.tested;
    count.held = tally.held;
    for (const [index, held] of (tally.each ?? [tally.held]).entries()) count.heldEach[index] = held;
  }
  return [...counts.warnings(mapping)].map(({ problem: { code, severity, path, facts }, cell }) => {
    expect([severity, path]).toEqual(['warning', []]);
    const { file, line, column, header } = cell!;
    expect(code).toBe('condition_doubtful');
    const [, held] = / for (none|all) of the rows /.exec(String(facts['found']))!;
    return `${file}:${line}:${column} ${header} ${held} ${facts['count']}`;
  });
}

const NONE = { tested: 0, held: 0 };

describe('a list of conditions is odd', () => {
  test.each([
    ['that was tested on one row', [NONE, NONE, { tested: 1, held: 1 }], []],
    ['that always held, on two rows', [NONE, NONE, { tested: 2, held: 2 }], ['m.yaml:13:5 S all 2']],
    ['that held once', [NONE, NONE, { tested: 100, held: 1 }], []],
    ['that never held on 19 rows', [NONE, NONE, { tested: 19, held: 0 }], []],
    ['that never held on 20 rows', [NONE, NONE, { tested: 20, held: 0 }], ['m.yaml:13:5 S none 20']],
    [
      'whose second condition never held',
      [NONE, { tested: 20, held: 0, each: [7, 0] }],
      ['m.yaml:12:30 note none 20'],
    ],
    [
      'whose first condition never held',
      [NONE, { tested: 20, held: 0, each: [0, 0] }],
      ['m.yaml:12:6 S none 20'],
    ],
    [
      'whose conditions never held together',
      [NONE, { tested: 20, held: 0, each: [7, 3] }],
      ['m.yaml:12:6 S none 20'],
    ],
    [
      'whose conditions both always held',
      [NONE, { tested: 20, held: 20, each: [20, 20] }],
      ['m.yaml:12:6 S all 20'],
    ],
    ['that only looks for a value, and always held', [{ tested: 20, held: 20 }], []],
    ['that only looks for a value, and never held', [{ tested: 20, held: 0 }], ['m.yaml:9:28 N none 20']],
    ['that nothing has tested', [], []],
  ])('%s', async (_, tallies, expected) => {
    expect(await warningsAfter(tallies)).toEqual(expected);
  });
});

test('conditions count the rows that they are tested on, and no trial', async () => {
  const csv = (count: number) =>
    `K,B,A,N,S\n${Array.from({ length: count }, (_, at) => `1,T${at},5.10,x,a\n`).join('')}`;
  const { plan, leftOver } = await mapped({ 'm.yaml': MAP, 'x.csv': csv(20) }, 'ACME');
  expect(leftOver.filter((each) => each.startsWith('condition'))).toEqual([
    'condition_doubtful  m.yaml:12:30',
    'condition_doubtful  m.yaml:13:5',
  ]);
  const few = await mapped({ 'm.yaml': MAP, 'x.csv': csv(19) }, 'ACME');
  const row = { firstLine: 2, lastLine: 2, byteStart: 0, byteEnd: 0, cells: ['1', 'T', '5.10', 'x', 'a'] };
  for (let at = 0; at < 9; at++) {
    expect(few.plan.filteredBy(row, true)).toBeUndefined();
    expect(few.plan.filteredBy({ ...row, cells: ['1', 'T', '5.10', 'b', 'a'] }, true)).toBe('m.yaml:12:5');
    expect(few.plan.accountNumberIn([row])).toBe('1');
    few.plan.candidateOf([row], true);
  }
  expect([...few.plan.leftOver()].map(({ problem }) => problem.code)).toEqual([]);
  expect(few.plan.filteredBy(row)).toBeUndefined();
  expect([...few.plan.leftOver()].map(({ problem }) => problem.code)).toEqual([
    'condition_doubtful',
    'condition_doubtful',
  ]);
  expect(plan.conditional).toEqual(['note']);
});
