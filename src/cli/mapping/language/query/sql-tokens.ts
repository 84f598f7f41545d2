/** A token of a query. Words and quoted names are in lower case, because SQL does not tell cases apart. */
export interface SqlToken {
  readonly kind: 'word' | 'name' | 'text' | 'number' | 'mark';
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Line within the query, from 1. */
  readonly line: number;
  /** Open parentheses around it. A parenthesis has the depth of what is around it. */
  readonly depth: number;
}

const TOKEN =
  /(?<blank>\s+|--[^\n]*|\/\*[^]*?(?:\*\/|$))|(?<word>[\p{L}_][\p{L}\p{N}_$]*)|(?<number>0[xX][\da-fA-F]+|\d*\.?\d+(?:[eE][+-]?\d+)?\.?)|(?<text>'(?:[^']|'')*'?)|(?<name>"(?:[^"]|"")*"?|`(?:[^`]|``)*`?|\[[^\]]*\]?)|(?<mark>->>|->|\|\||<=|>=|<>|!=|==|<<|>>|[^])/gu;

/** The tokens of a query, without comments. */
export function sqlTokens(sql: string): readonly SqlToken[] {
  const tokens: SqlToken[] = [];
  let [depth, line, counted] = [0, 1, 0];
  for (const { index: start, groups } of sql.matchAll(TOKEN)) {
    const [kind, found] = Object.entries(groups!).find(([, text]) => text !== undefined) as [string, string];
    if (kind === 'blank') continue;
    for (; counted < start; counted++) if (sql[counted] === '\n') line++;
    if (found === ')') depth--;
    const text = kind === 'name' ? unquoted(found) : kind === 'text' ? found : found.toLowerCase();
    tokens.push({ kind: kind as SqlToken['kind'], text, start, end: start + found.length, line, depth });
    if (found === '(') depth++;
  }
  return tokens;
}

function unquoted(name: string): string {
  const quote = name[0]!;
  const inner = name.slice(1, -1);
  return (quote === '[' ? inner : inner.replaceAll(quote + quote, quote)).toLowerCase();
}

/** Words that are no names of columns. */
const KEYWORDS: ReadonlySet<string> = new Set(
  `all and as asc between by case cast collate cross current desc distinct else end escape except exists false filter first
  following from full glob group having in inner integer intersect is isnull join last left like limit match materialized
  natural not notnull null nulls offset on or order outer over partition preceding range recursive regexp right row rows
  select text then true unbounded union using values when where window with`.split(/\s+/),
);

export const isWord = (token: SqlToken | undefined, ...texts: readonly string[]): boolean =>
  token?.kind === 'word' && texts.includes(token.text);

export const isMark = (token: SqlToken | undefined, ...texts: readonly string[]): boolean =>
  token?.kind === 'mark' && texts.includes(token.text);

/** Whether a token may be the name of a column, a table or a function. */
export const isName = (token: SqlToken | undefined): token is SqlToken =>
  token !== undefined && (token.kind === 'name' || (token.kind === 'word' && !KEYWORDS.has(token.text)));

/** The index of the other parenthesis. */
export function partnerOf(tokens: readonly SqlToken[], at: number): number {
  const { text, depth } = tokens[at]!;
  const step = text === '(' ? 1 : -1;
  let other = at + step;
  while (other >= 0 && other < tokens.length && tokens[other]!.depth !== depth) other += step;
  return other;
}

/** The index behind the column that begins at a token, such as `b.gross`; undefined where no column begins. */
export function columnFrom(tokens: readonly SqlToken[], at: number): number | undefined {
  if (!isName(tokens[at])) return undefined;
  const last = isMark(tokens[at + 1], '.') && isName(tokens[at + 2]) ? at + 2 : at;
  return isMark(tokens[last + 1], '(', '.') ? undefined : last + 1;
}
