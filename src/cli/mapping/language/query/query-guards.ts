import { failure, type Problem } from '../../../../core/problem.ts';
import { columnFrom, isMark, isName, isWord, partnerOf, sqlTokens, type SqlToken } from './sql-tokens.ts';

/** A query as it was written. What is known of it without SQLite. */
export interface QueryText {
  readonly tokens: readonly SqlToken[];
  /** The query without the semicolon at its end. */
  readonly sql: string;
  /** Why it is refused. */
  readonly problems: readonly Problem[];
  readonly hasOrder: boolean;
  /** Columns that it compares as texts; `isStrict` where a text is compared with anything. */
  readonly compared: readonly ComparedColumn[];
  /** Columns by which rows are found, so that an index helps. */
  readonly found: ReadonlySet<string>;
}

/** A column whose texts a query compares. */
export interface ComparedColumn {
  readonly column: string;
  readonly line: number;
  /** With each other, a text of so many characters, or anything. */
  readonly with: 'each other' | number | 'anything';
}

export function queryText(written: string): QueryText {
  const all = sqlTokens(written);
  const end = all.findLastIndex((token) => !isMark(token, ';')) + 1;
  const tokens = all.slice(0, end);
  const outer = tokens.filter(({ depth }) => depth === 0);
  const hasOrder = outer.some((token) => isWord(token, 'order'));
  const names = aliases(tokens);
  const named = (at: number): string => names.get(tokens[at]!.text) ?? tokens[at]!.text;
  return {
    tokens,
    sql: written.slice(0, tokens.at(-1)?.end ?? 0),
    problems: [...statementProblems(tokens, hasOrder), ...groupProblems(tokens)],
    hasOrder,
    compared: [...comparedColumns(tokens)].map(([at, other]) => ({
      column: named(at),
      line: tokens[at]!.line,
      with: other,
    })),
    found: new Set([...foundColumns(tokens)].map(named)),
  };
}

function invalid(reason: string): Problem {
  return failure('query_invalid', [], { reason });
}

function* statementProblems(tokens: readonly SqlToken[], hasOrder: boolean): Generator<Problem> {
  if (!isWord(tokens[0], 'select', 'with')) yield invalid('it does not begin with SELECT or WITH');
  if (tokens.some((token) => isMark(token, ';'))) yield invalid('it has more than one statement');
  const compound = tokens.find((token) => isWord(token, 'union', 'intersect', 'except'));
  if (compound)
    yield invalid(
      `line ${compound.line} has ${compound.text.toUpperCase()}, and a query is one SELECT; write a mapping for each`,
    );
  const open = tokens.find((token) => isMark(token, '?', ':', '@', '$'));
  if (open) yield invalid(`line ${open.line} has a parameter, and nothing has a value for it`);
  const foreign = tokens.find(
    (token) => isName(token) && /^(?:pragma_|sqlite_|query_|dbstat)/.test(token.text),
  );
  if (foreign) yield invalid(`line ${foreign.line} names ${foreign.text}, which is no table of the mapping`);
  if (!hasOrder && tokens.some((token) => token.depth === 0 && isWord(token, 'limit')))
    yield invalid('LIMIT without ORDER BY leaves open which rows are sent');
}

const ARITHMETIC = ['+', '-', '*', '/', '%'];

/**
 * The first operator that calculates with anything but whole numbers, `_row` and `CAST(… AS INTEGER)`. Asked only when the program
 * of SQLite calculates.
 */
export function arithmeticProblem(tokens: readonly SqlToken[]): Problem | undefined {
  for (const [at, token] of tokens.entries()) {
    if (!isMark(token, ...ARITHMETIC)) continue;
    const before = tokens[at - 1];
    if (isAllColumns(token, before)) continue;
    const isFine = isWhole(tokens, at + 1, 1) && (!endsOperand(before) || isWhole(tokens, at - 1, -1));
    if (!isFine) return failure('query_arithmetic', [], { operator: token.text, line: token.line });
  }
  return undefined;
}

/** Whether an asterisk stands for all columns or rows. */
const isAllColumns = (token: SqlToken, before: SqlToken | undefined): boolean =>
  isMark(token, '*') && (isMark(before, '(', '.', ',') || isWord(before, 'select', 'distinct', 'all'));

const endsOperand = (token: SqlToken | undefined): boolean =>
  token?.kind === 'number' ||
  token?.kind === 'text' ||
  isMark(token, ')') ||
  isWord(token, 'end') ||
  isName(token);

/** Operators that bind closer than those of arithmetic, so that their operand is not the neighbour. */
const CLOSER = ['||', '->', '->>', '~'];

/** Whether the operand that begins (`step` 1) or ends (-1) at a token is a whole number. */
function isWhole(tokens: readonly SqlToken[], from: number, step: 1 | -1): boolean {
  let at = from;
  while (step === 1 && isMark(tokens[at], '+', '-')) at++;
  const range = step === 1 ? forward(tokens, at) : backward(tokens, at);
  if (!range) return false;
  const [first, last] = range;
  const next = tokens[step === 1 ? last + 1 : first - 1];
  return !isMark(next, ...CLOSER) && !isWord(next, 'collate');
}

const isInteger = (token: SqlToken | undefined): boolean =>
  token?.kind === 'number' && /^\d{1,18}$/.test(token.text);

type Range = readonly [first: number, last: number];

function forward(tokens: readonly SqlToken[], at: number): Range | undefined {
  if (isInteger(tokens[at])) return [at, at];
  const row = isMark(tokens[at + 1], '.') ? at + 2 : at;
  if (isName(tokens[at]) && tokens[row]?.text === '_row') return [at, row];
  const open = isWord(tokens[at], 'cast') ? at + 1 : at;
  return isMark(tokens[open], '(') ? wholeGroup(tokens, open, partnerOf(tokens, open)) : undefined;
}

function backward(tokens: readonly SqlToken[], at: number): Range | undefined {
  if (isInteger(tokens[at])) return [at, at];
  if (isName(tokens[at]) && tokens[at].text === '_row')
    return [isMark(tokens[at - 1], '.') ? at - 2 : at, at];
  return isMark(tokens[at], ')') ? wholeGroup(tokens, partnerOf(tokens, at), at) : undefined;
}

/** Parentheses around whole numbers, or those of a cast to one. */
function wholeGroup(tokens: readonly SqlToken[], open: number, close: number): Range | undefined {
  const before = tokens[open - 1];
  if (isWord(before, 'cast')) {
    const isCast = isWord(tokens[close - 2], 'as') && isWord(tokens[close - 1], 'integer', 'int');
    return isCast ? [open - 1, close] : undefined;
  }
  if (isName(before)) return undefined;
  for (let at = open + 1; at < close; at++) {
    if (isMark(tokens[at], ...ARITHMETIC)) continue;
    const inner = forward(tokens, at);
    if (!inner) return undefined;
    at = inner[1];
  }
  return [open, close];
}

/** Those that are refused, too, so that the refusal names them. */
const AGGREGATES = 'count max min group_concat string_agg dec_sum sum total avg'.split(' ');

/** A name in a list of results that is neither grouped nor aggregated would have the value of any row of its group. */
function* groupProblems(tokens: readonly SqlToken[]): Generator<Problem> {
  for (const [start, token] of tokens.entries()) {
    if (!isWord(token, 'select')) continue;
    const { depth } = token;
    const rest = tokens.findIndex((each, at) => at > start && each.depth < depth);
    const end = rest < 0 ? tokens.length : rest;
    const keywordAt = (from: number, ...words: readonly string[]): number => {
      const found = tokens.findIndex(
        (each, at) => at > from && each.depth === depth && isWord(each, ...words),
      );
      return found < 0 || found > end ? end : found;
    };
    const listEnd = keywordAt(start, 'from');
    const group = keywordAt(start, 'group');
    const { names, isAggregated } = bareNames(tokens, start + 1, listEnd);
    if (!isAggregated && group === end) continue;
    const terms = tokens.slice(group, keywordAt(group, 'having', 'order', 'limit', 'window'));
    if (terms.some((each) => each.kind === 'number')) {
      yield invalid(`GROUP BY on line ${tokens[group]!.line} has a number in place of the name of a column`);
      continue;
    }
    const grouped = new Set(terms.filter(isName).map(({ text }) => text));
    for (const name of names)
      if (!grouped.has(name.text)) {
        yield failure('query_group_unclear', [], { name: name.text, line: name.line });
        break;
      }
  }
}

/** The names of columns in a list of results outside of aggregates and inner queries. */
function bareNames(
  tokens: readonly SqlToken[],
  start: number,
  end: number,
): { names: readonly SqlToken[]; isAggregated: boolean } {
  const names: SqlToken[] = [];
  let isAggregated = false;
  for (let at = start; at < end; at++) {
    const token = tokens[at]!;
    if (isMark(token, '(')) {
      const close = partnerOf(tokens, at);
      const inner = tokens.slice(at + 1, close);
      const call = tokens[at - 1];
      const several = inner.some((each) => each.depth === token.depth + 1 && isMark(each, ','));
      const isScalar = several && isWord(call, 'max', 'min');
      // A window is over what grouping has left, so that names in it are those of any row of a group, too.
      const isWindow = isWord(tokens[close + 1], 'over');
      const isAggregate = isName(call) && AGGREGATES.includes(call.text) && !isScalar && !isWindow;
      if (isAggregate) isAggregated = true;
      if (isAggregate || isWord(call, 'filter') || isWord(inner[0], 'select', 'with')) at = close;
    } else if (isAllColumns(token, tokens[at - 1])) names.push(token);
    else if (isName(token) && !isMark(tokens[at + 1], '(', '.')) {
      const isAlias = isWord(tokens[at - 1], 'as', 'over') || endsOperand(tokens[at - 1]);
      if (!isAlias) names.push(token);
    }
  }
  return { names, isAggregated };
}

/** The index of the last token of a column that begins at a token. */
function columnAt(tokens: readonly SqlToken[], at: number): number | undefined {
  const end = columnFrom(tokens, at);
  return end === undefined ? undefined : end - 1;
}

/** Names that a query gives to columns, such as `b.revision AS r`. */
function aliases(tokens: readonly SqlToken[]): ReadonlyMap<string, string> {
  return new Map(
    tokens.flatMap((token, at) =>
      isWord(token, 'as') && isName(tokens[at - 1]) && isName(tokens[at + 1])
        ? [[tokens[at + 1]!.text, tokens[at - 1]!.text] as const]
        : [],
    ),
  );
}

function* comparedColumns(
  tokens: readonly SqlToken[],
): Generator<readonly [at: number, ComparedColumn['with']]> {
  const lengthOf = (token: SqlToken | undefined): number | 'anything' =>
    token?.kind === 'text' ? token.text.length - 2 : 'anything';
  for (const [at, token] of tokens.entries()) {
    if (isMark(token, '<', '>', '<=', '>=') || isWord(token, 'between')) {
      const left = isWord(tokens[at - 1], 'not') ? at - 2 : at - 1;
      if (isName(tokens[left])) yield [left, lengthOf(tokens[at + 1])];
      const right = columnAt(tokens, at + 1);
      if (right !== undefined) yield [right, lengthOf(tokens[left])];
    }
    if (isWord(token, 'max', 'min') && isMark(tokens[at + 1], '(')) {
      const column = columnAt(tokens, at + 2);
      if (column !== undefined) yield [column, 'each other'];
    }
    if (isWord(token, 'by') && isWord(tokens[at - 1], 'order'))
      for (const column of listedColumns(tokens, at)) yield [column, 'each other'];
  }
}

/** The columns of a list behind BY, of which each item is a column alone. */
function* listedColumns(tokens: readonly SqlToken[], by: number): Generator<number> {
  const { depth } = tokens[by]!;
  for (let at = by; at < tokens.length && tokens[at]!.depth >= depth; at++) {
    if (at !== by && (tokens[at]!.depth !== depth || !isMark(tokens[at], ','))) {
      if (tokens[at]!.depth === depth && isWord(tokens[at], 'limit', 'order')) return;
      continue;
    }
    const column = columnAt(tokens, at + 1);
    if (column !== undefined) yield column;
  }
}

function* foundColumns(tokens: readonly SqlToken[]): Generator<number> {
  for (const [at, token] of tokens.entries()) {
    if (isMark(token, '=', '==') || isWord(token, 'in')) {
      if (isName(tokens[at - 1])) yield at - 1;
      const right = columnAt(tokens, at + 1);
      if (right !== undefined) yield right;
    }
    if (isWord(token, 'using')) for (let i = at + 2; isName(tokens[i]); i += 2) yield i;
    if (isWord(token, 'by') && isWord(tokens[at - 1], 'partition', 'group')) yield* listedColumns(tokens, at);
  }
}

/** The expression of a column of the result, as it was written. */
export function expressionOf({ tokens, sql }: QueryText, name: string): string {
  const at = tokens.findLastIndex(
    (token, index) => isName(token) && token.text === name.toLowerCase() && isWord(tokens[index - 1], 'as'),
  );
  if (at < 0) return name;
  const { depth } = tokens[at]!;
  let start = at - 1;
  while (start > 0 && !(tokens[start - 1]!.depth <= depth && isBreak(tokens[start - 1]!, depth))) start--;
  return `${name}: ${sql.slice(tokens[start]!.start, tokens[at - 2]!.end).replaceAll(/\s+/g, ' ')}`;
}

const isBreak = (token: SqlToken, depth: number): boolean =>
  token.depth < depth || isMark(token, ',') || isWord(token, 'select', 'distinct', 'all');
