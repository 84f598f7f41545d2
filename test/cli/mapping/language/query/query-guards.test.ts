import { describe, expect, test } from 'vitest';
import {
  arithmeticProblem,
  expressionOf,
  queryText,
} from '../../../../../src/cli/mapping/language/query/query-guards.ts';

const problemsOf = (sql: string) =>
  queryText(sql).problems.map(({ code, path, facts }) => {
    expect(path).toEqual([]);
    return code === 'query_invalid' ? facts['reason'] : `${code} ${facts['name']} ${facts['line']}`;
  });

describe('a query', () => {
  test.each([
    ['SELECT a FROM t', []],
    ['WITH x AS (SELECT 1) SELECT a FROM x', []],
    ['UPDATE t SET a = 1', ['it does not begin with SELECT or WITH']],
    ['', ['it does not begin with SELECT or WITH']],
    ['SELECT a FROM t; SELECT b FROM t', ['it has more than one statement']],
    ['SELECT a FROM t ; ;', []],
    [
      'SELECT a FROM t\nUNION SELECT b FROM t',
      ['line 2 has UNION, and a query is one SELECT; write a mapping for each'],
    ],
    [
      'SELECT a FROM t INTERSECT SELECT b FROM t',
      ['line 1 has INTERSECT, and a query is one SELECT; write a mapping for each'],
    ],
    [
      'SELECT a FROM t EXCEPT SELECT b FROM t',
      ['line 1 has EXCEPT, and a query is one SELECT; write a mapping for each'],
    ],
    ['SELECT a FROM t WHERE a = ?', ['line 1 has a parameter, and nothing has a value for it']],
    ['SELECT a FROM t WHERE a = :x', ['line 1 has a parameter, and nothing has a value for it']],
    ['SELECT a FROM t WHERE a = @x', ['line 1 has a parameter, and nothing has a value for it']],
    ['SELECT a FROM t\nWHERE a = $x', ['line 2 has a parameter, and nothing has a value for it']],
    [
      "SELECT a FROM pragma_table_info('t')",
      ['line 1 names pragma_table_info, which is no table of the mapping'],
    ],
    ['SELECT a FROM sqlite_master', ['line 1 names sqlite_master, which is no table of the mapping']],
    ['SELECT a FROM "query_x"', ['line 1 names query_x, which is no table of the mapping']],
    ['SELECT a FROM dbstat', ['line 1 names dbstat, which is no table of the mapping']],
    ["SELECT 'pragma_x' FROM my_pragma_x", []],
    ['SELECT a FROM t LIMIT 1', ['LIMIT without ORDER BY leaves open which rows are sent']],
    ['SELECT a FROM t ORDER BY a LIMIT 1', []],
    ['SELECT a FROM t WHERE a IN (SELECT a FROM t LIMIT 1)', []],
    [
      'SELECT a FROM (SELECT a FROM t ORDER BY a) LIMIT 1',
      ['LIMIT without ORDER BY leaves open which rows are sent'],
    ],
  ])('%s has the problems %j', (sql, expected) => {
    expect(problemsOf(sql)).toEqual(expected);
  });

  test('is kept without the semicolon at its end', () => {
    expect(queryText('SELECT a FROM t ;\n;').sql).toBe('SELECT a FROM t');
    expect(queryText('').sql).toBe('');
  });

  test('has an order of its own, or none', () => {
    expect(queryText('SELECT a FROM t ORDER BY a').hasOrder).toBe(true);
    expect(queryText('SELECT a FROM (SELECT a FROM t ORDER BY a)').hasOrder).toBe(false);
  });
});

describe('a column beside groups', () => {
  test.each([
    ['SELECT a, count(*) FROM t GROUP BY a', []],
    ['SELECT t.a, max(t.b) FROM t GROUP BY t.a', []],
    ['SELECT a, b FROM t', []],
    ['SELECT a,\nb, count(*) FROM t GROUP BY a', ['query_group_unclear b 2']],
    ['SELECT b, c FROM t GROUP BY a', ['query_group_unclear b 1']],
    ['SELECT a, count(*) FROM t', ['query_group_unclear a 1']],
    ['SELECT *, count(*) FROM t GROUP BY a', ['query_group_unclear * 1']],
    ['SELECT DISTINCT *, count(*) FROM t GROUP BY a', ['query_group_unclear * 1']],
    ['SELECT t.*, count(*) FROM t GROUP BY a', ['query_group_unclear * 1']],
    ['SELECT a, 2 * 3, 2 * (3), count(*) FROM t GROUP BY a', []],
    [
      'SELECT 1, count(*) FROM t GROUP BY 1',
      ['GROUP BY on line 1 has a number in place of the name of a column'],
    ],
    ['SELECT a, count(*) FROM t GROUP BY a HAVING count(*) > 1', []],
    ['SELECT a, count(*) FROM t GROUP BY a ORDER BY 1', []],
    [
      'SELECT a, count(*) FROM t GROUP BY a LIMIT 1',
      ['LIMIT without ORDER BY leaves open which rows are sent'],
    ],
    // Only an aggregate makes one row of several, not a window, a scalar or an inner query.
    ['SELECT a, max(b) OVER (PARTITION BY c) FROM t', []],
    ['SELECT a, max(b, c) FROM t', []],
    ['SELECT a, min(b, c) FROM t', []],
    ['SELECT a, max(b) FROM t', ['query_group_unclear a 1']],
    ['SELECT a, min(upper(b, c)) FROM t', ['query_group_unclear a 1']],
    ['SELECT a, (SELECT count(*) FROM u) FROM t', []],
    ['SELECT a, (WITH x AS (SELECT 1) SELECT count(*) FROM x) FROM t', []],
    ['SELECT upper(b), count(*) FROM t GROUP BY a', ['query_group_unclear b 1']],
    ['SELECT upper(a), count(*) FROM t GROUP BY a', []],
    ['SELECT a, count(*) FILTER (WHERE b = 1) FROM t GROUP BY a', []],
    ['SELECT "by", count(*) FROM t GROUP BY a', ['query_group_unclear by 1']],
    ['SELECT b, count(*) FROM t GROUP BY a WINDOW w AS (ORDER BY b)', ['query_group_unclear b 1']],
    // A window is over the rows that grouping has left.
    ['SELECT a, max(b) OVER (ORDER BY a) FROM t GROUP BY a', ['query_group_unclear b 1']],
    ['SELECT a, rank() OVER (ORDER BY c) FROM t GROUP BY a', ['query_group_unclear c 1']],
    ['SELECT a, max(count(*)) OVER (PARTITION BY a) FROM t GROUP BY a', []],
    ['SELECT a, rank() OVER w FROM t GROUP BY a WINDOW w AS (ORDER BY a)', []],
    // Names that the query gives are no columns.
    ['SELECT a AS x, count(*) AS y FROM t GROUP BY a', []],
    ['SELECT a x, count(*) y FROM t GROUP BY a', []],
    ['SELECT CASE WHEN a = 1 THEN 2 END x, count(*) FROM t GROUP BY a', []],
    // An inner query is looked at by itself.
    ['SELECT a FROM (SELECT b, count(*) AS n FROM t GROUP BY c)', ['query_group_unclear b 1']],
    ['SELECT a FROM (SELECT b FROM t GROUP BY b), u', []],
    ['SELECT (SELECT a FROM t), (SELECT b, count(*) FROM u) FROM v', ['query_group_unclear b 1']],
    ['SELECT (SELECT a, b FROM t), (SELECT c FROM u GROUP BY c) FROM v', []],
    ['SELECT a, total(b) FROM t', ['query_group_unclear a 1']],
  ])('of %s: %j', (sql, expected) => {
    expect(problemsOf(sql)).toEqual(expected);
  });
});

describe('arithmetic', () => {
  const of = (expression: string) => {
    const problem = arithmeticProblem(queryText(`SELECT ${expression} AS x FROM t`).tokens);
    return problem && `${problem.code} ${problem.facts['operator']} ${problem.facts['line']}`;
  };

  test.each([
    'a',
    '1 + 2',
    't._row + 1',
    '_row * 2',
    '2 * (1 + _row)',
    'CAST(a AS INTEGER) + 1',
    'CAST(a AS INT) % 7',
    '1 - CAST(a AS INTEGER)',
    '-1',
    '- _row',
    '+-1',
    '(1 + 2) * (3 - _row)',
    '123456789012345678 + 1',
    'count(*)',
    't.*',
    '*',
    'DISTINCT *',
    'ALL *',
    '1 - +1',
    '1 + t._row',
    'a, *',
  ])('with whole numbers is exact: %s', (expression) => {
    expect(of(expression)).toBeUndefined();
  });

  test.each([
    ['a + 1', '+ 1'],
    ['1 + a', '+ 1'],
    ['a - b', '- 1'],
    ['-a', '- 1'],
    ['a * 2', '* 1'],
    ['2 / a', '/ 1'],
    ['a % 2', '% 1'],
    ['1.5 + 1', '+ 1'],
    ["'1' + 1", '+ 1'],
    ['"12" + 1', '+ 1'],
    ['1 +\na', '+ 1'],
    ['a\n+ 1', '+ 2'],
    ['1234567890123456789 + 1', '+ 1'],
    ['f(1) + 1', '+ 1'],
    ['1 + f(1)', '+ 1'],
    ['(a) + 1', '+ 1'],
    ['1 + (a)', '+ 1'],
    ['1 + (2, a)', '+ 1'],
    ['CAST(a AS REAL) + 1', '+ 1'],
    ['CAST(a AS TEXT) * 2', '* 1'],
    ['1 + CAST(a AS REAL)', '+ 1'],
    // These bind closer than arithmetic.
    ['a || 1 + 1', '+ 1'],
    ['a || _row + 1', '+ 1'],
    ['a || t._row + 1', '+ 1'],
    ['a || (1) + 1', '+ 1'],
    ['a || CAST(b AS INT) + 1', '+ 1'],
    ['1 + _row || a', '+ 1'],
    ['1 + t._row || a', '+ 1'],
    ['1 + (1) || a', '+ 1'],
    ['1 + CAST(b AS INT) || a', '+ 1'],
    ['1 + 1 || a', '+ 1'],
    ["1 + 1 ->> '$'", '+ 1'],
    ['1 + 1 COLLATE nocase', '+ 1'],
    ['~ 1 + 1', '+ 1'],
    ['t.a + 1', '+ 1'],
    ['1 + t.a', '+ 1'],
    ['CASE WHEN a THEN b END * 2', '* 1'],
    ['2 + CASE WHEN a THEN b END', '+ 1'],
  ])('with anything else is refused: %s', (expression, expected) => {
    expect(of(expression)).toBe(`query_arithmetic ${expected}`);
  });
});

describe('the columns that a query compares as texts', () => {
  const compared = (sql: string) =>
    queryText(sql).compared.map(({ column, line, with: other }) => `${column} ${line} ${other}`);

  test.each([
    ["SELECT a FROM t WHERE a > '2026-01-01'", ['a 1 10']],
    ["SELECT a FROM t WHERE a <= 'x'", ['a 1 1']],
    ["SELECT a FROM t WHERE '7' < b", ['b 1 1']],
    ['SELECT a FROM t WHERE a >= b', ['a 1 anything', 'b 1 anything']],
    ['SELECT a FROM t\nWHERE t.a < u.b', ['a 2 anything', 'b 2 anything']],
    ["SELECT a FROM t WHERE a BETWEEN '1' AND '2'", ['a 1 1']],
    ["SELECT a FROM t WHERE a NOT BETWEEN '12' AND '2'", ['a 1 2']],
    ['SELECT a FROM t WHERE a = b', []],
    ['SELECT a FROM t WHERE dec_cmp(a, b) > 0', []],
    ['SELECT max(a), min(t.b) FROM t', ['a 1 each other', 'b 1 each other']],
    ['SELECT max(f(a)), max FROM t', []],
    ['SELECT a FROM t ORDER BY a, t.b DESC, f(c), 1', ['a 1 each other', 'b 1 each other']],
    ['SELECT a FROM t ORDER BY a LIMIT 1, b', ['a 1 each other']],
    ['SELECT a FROM t ORDER BY f(c, d)', []],
    ['SELECT row_number() OVER (ORDER BY c), f(d, e) FROM t', ['c 1 each other']],
    ['SELECT CASE WHEN a THEN b END AS r, max(r) FROM b', ['r 1 each other']],
    ['SELECT a, row_number() OVER (ORDER BY c ROWS 1) FROM t, u', ['c 1 each other']],
    ['SELECT a FROM t GROUP BY a', []],
    ['SELECT b.revision AS r, max(r) FROM b', ['revision 1 each other']],
  ])('%s: %j', (sql, expected) => {
    expect(compared(sql)).toEqual(expected);
  });
});

test.each([
  ["SELECT a FROM t WHERE a = 'x'", ['a']],
  ['SELECT a FROM t JOIN u ON t.a = u.b', ['a', 'b']],
  ['SELECT a FROM t WHERE a == b', ['a', 'b']],
  ["SELECT a FROM t WHERE a IN ('x')", ['a']],
  ['SELECT a FROM t JOIN u USING (c, d)', ['c', 'd']],
  ['SELECT a FROM t GROUP BY e, t.f HAVING g', ['e', 'f']],
  ['SELECT row_number() OVER (PARTITION BY h ORDER BY i) FROM t', ['h']],
  ['SELECT a FROM t WHERE a > 1 ORDER BY a', []],
  ["SELECT a FROM t WHERE upper(a) = 'x'", []],
  ['SELECT a FROM t GROUP BY e ORDER BY f, g', ['e']],
  ['SELECT b.k AS l FROM b WHERE l = 1', ['k']],
])('rows of %s are found by %j', (sql, expected) => {
  expect([...queryText(sql).found]).toEqual(expected);
});

test.each([
  ['SELECT b._row, upper(a)  ||\n b AS X FROM t', 'X', 'X: upper(a) || b'],
  ['SELECT DISTINCT a AS x FROM t', 'x', 'x: a'],
  ['SELECT ALL a AS x FROM t', 'x', 'x: a'],
  ['SELECT f(a, b) AS x, c AS y FROM t', 'y', 'y: c'],
  ['SELECT f(a, b) AS x, c AS y FROM t', 'x', 'x: f(a, b)'],
  ['SELECT z FROM (SELECT a + 1 AS x FROM t)', 'x', 'x: a + 1'],
  ['SELECT a AS x, (SELECT b AS x FROM u) AS y FROM t', 'x', 'x: b'],
  ['SELECT a FROM t', 'a', 'a'],
  ['SELECT a x FROM t', 'x', 'x'],
])('in %s the expression of %s is %s', (sql, name, expected) => {
  expect(expressionOf(queryText(sql), name)).toBe(expected);
});
