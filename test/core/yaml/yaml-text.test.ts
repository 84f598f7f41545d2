import { describe, expect, test } from 'vitest';
import type { Path } from '../../../src/core/problem.ts';
import { readYaml, type YamlText } from '../../../src/core/yaml/yaml-text.ts';
import { SECRET, UNREADABLE_YAML } from '../../support/unreadable-yaml.ts';

const FILE = 'seed.yaml';

function problemsIn(text: string, schema: 'core' | 'failsafe' = 'core') {
  return readYaml({ file: FILE, text, schema }).problems;
}

function readable(text: string, schema: 'core' | 'failsafe' = 'core'): YamlText {
  const { yaml, problems } = readYaml({ file: FILE, text, schema });
  if (!yaml) throw new Error(JSON.stringify(problems));
  return yaml;
}

function nested(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels);
}

describe('an unreadable text is reported with line, column and reason, and without a quote from it', () => {
  test.each(UNREADABLE_YAML)('$what', ({ text, line, column, reason }) => {
    for (const schema of ['core', 'failsafe'] as const) {
      const problems = problemsIn(text, schema);
      expect(problems).toEqual([{ file: FILE, line, column, reason }]);
      expect(JSON.stringify(problems)).not.toContain(SECRET);
    }
  });

  test('all repeated keys and all wrong aliases are reported at once, and only the first of all other problems', () => {
    const positionsOf = (text: string) => problemsIn(text)?.map(({ line, column }) => `${line}:${column}`);
    expect(positionsOf('a: 1\na: 2\na: 3')).toEqual(['2:1', '3:1']);
    expect(positionsOf('a: *x\nb: { c: *y }')).toEqual(['1:4', '2:9']);
    expect(positionsOf('a: "\\q\\r"\nb: "\\q"')).toEqual(['1:5']);
  });

  test.each([
    ['an unknown directive', `%YAML ${SECRET}\n---\na: 1`, '1:7 there is no such directive (`%…`)'],
    ['an escape', `a: "\\u${SECRET}"`, '1:5 there is no such escape in a text between double quotes'],
    [
      'text behind the sign of a block',
      `a: |${SECRET}\n  b`,
      '1:5 Block scalar header includes extra characters',
    ],
  ])('not even %s is quoted', (_, text, reported) => {
    expect(problemsIn(text)?.map(({ line, column, reason }) => `${line}:${column} ${reason}`)).toEqual([
      reported,
    ]);
  });
});

describe('a value', () => {
  test.each<[string, 'core' | 'failsafe', unknown]>([
    ['a: 007\nb: no\nc: 12.50\nd:\n', 'failsafe', { a: '007', b: 'no', c: '12.50', d: '' }],
    ['a: 007\nb: no\nc: true\nd:\n', 'core', { a: 7, b: 'no', c: true, d: null }],
    ['a: !!int 7\nb: !!set { x }', 'failsafe', { a: '7', b: { x: null } }],
    ['a: !!binary aGk=\nb: !!timestamp 2026-11-21', 'core', { a: 'aGk=', b: '2026-11-21' }],
    ['a: &x [1]\nb: *x\nc: &x [2]\nd: *x', 'core', { a: [1], b: [1], c: [2], d: [2] }],
    ['<<: { a: 1 }', 'failsafe', { '<<': { a: '1' } }],
    ['x: &x { a: 1 }\ny: { <<: *x, b: 2 }', 'core', { x: { a: 1 }, y: { a: 1, b: 2 } }],
    ['{"a": [1, null]}', 'core', { a: [1, null] }],
    ['\uFEFFa: 1', 'core', { a: 1 }],
    ['', 'core', null],
    ['# later', 'failsafe', null],
    [nested(100), 'core', JSON.parse(nested(100))],
  ])('of %j in %s', (text, schema, value) => {
    expect(readable(text, schema).value).toEqual(value);
  });

  test('may be repeated a thousand times, and no more', () => {
    const repeated = (times: number) => `a: &a x\nb: [${Array.from({ length: times }, () => '*a').join()}]`;
    expect((readable(repeated(999)).value as { b: unknown[] }).b).toHaveLength(999);
    expect(problemsIn(repeated(1000))).toHaveLength(1);
  });

  test('under the key __proto__ is a value like any other', () => {
    const { value } = readable('__proto__: { polluted: true }');
    expect(Object.keys(value as object)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('a position', () => {
  const text = `suppliers:
  - { code: ACME, 7: seven }
common: &common
  fields: [id]
more: *common
one: text
`;
  test.each<[Path, 'key' | 'value', string]>([
    [['suppliers', 0, 'code'], 'value', '2:13'],
    [['suppliers', 0, 'code'], 'key', '2:7'],
    [['suppliers', 0, '7'], 'key', '2:19'],
    // no such value: the nearest value around it
    [['suppliers', 0, 'name'], 'value', '2:5'],
    [['suppliers', 3], 'value', '2:3'],
    [['vendors'], 'value', '1:1'],
    // an alias, and inside of it
    [['more'], 'value', '5:7'],
    [['more', 'fields', 0], 'value', '4:12'],
    // a single value where a list is accepted, too
    [['one', 0], 'value', '6:6'],
  ])('of %j, its %s', (path, what, position) => {
    const { file, line, column } = readable(text).positionOf(path, what);
    expect(`${file}:${line}:${column}`).toBe(`${FILE}:${position}`);
  });

  test('exists for every value, also behind an alias', () => {
    const { has } = readable(text);
    const paths: Path[] = [['suppliers', 0], ['more', 'fields', 0], ['one', 0], ['suppliers', 1], ['two']];
    expect(paths.map((path) => has(path))).toEqual([true, true, true, false, false]);
  });
});
