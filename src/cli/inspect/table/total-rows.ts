import { withoutLastZeros } from '../../../core/values/decimal.ts';
import { literalPattern } from '../../../core/values/literal-pattern.ts';
import type { SourceRow } from '../../csv/source-row.ts';
import { counted } from '../../output/text/text.ts';
import type { ColumnCounter } from '../column/column-profile.ts';
import { NumberShapes } from '../column/numbers.ts';
import { Occurrences, Tally } from '../column/occurrences.ts';

type Columns = readonly Pick<ColumnCounter, 'name' | 'filled' | 'isDecimal' | 'total'>[];

/** The rows before the last. */
interface RowsBefore {
  readonly rows: number;
  readonly width: number;
  readonly columns: Columns;
  /** The words of totals between the rows. */
  readonly words: ReadonlySet<string>;
}

const DECIMAL_MARKS = ['.', ','] as const;

const TRAILER_WORD =
  /^[*\s]*(?:SUMS?|ENDSUMME|Σ|EOF|END|ENDE|TRAILER|TRL|TR|FT|T|Z|99|dataimport-rejects)[:.]?\s*$/i;

/** The reasons to take the last row for a control record, and its keys in a mapping; undefined when it looks like any other row. */
export function trailerFinding(
  { cells, firstLine: line }: SourceRow,
  { rows, width, columns, words }: RowsBefore,
) {
  const at = cells.findIndex((cell) => cell.trim() !== '');
  const first = cells[at] ?? '';
  const totalWord = totalWordOf(first);
  const isTotal = totalWord !== undefined;
  const hasWord = isTotal || TRAILER_WORD.test(first);
  const hasOtherWidth = cells.length !== width;
  const count = countIn(cells, rows);
  const sums = sumsIn(cells, columns, isTotal).filter(
    ({ cell, isExact }) => isExact || (hasWord && cell !== at + 1 && cell !== count?.cell),
  );
  const hasTotals = count !== undefined || sums.some(({ isExact }) => isExact);
  // A word that came before is that of a group of rows.
  if (isTotal && words.has(totalWord) && !hasTotals) return undefined;
  // A cell is empty that is filled in all rows before it.
  const sparse = cells.some((cell, index) => cell.trim() === '' && columns[index]?.filled === rows);
  // In a row without gaps more than the word is a name.
  const isWord = hasWord && (sparse || hasTotals || (first.trim() === totalWord && sums.length > 0));
  if (!hasOtherWidth && !isWord && !(sparse && hasTotals)) return undefined;
  const because = [
    ...(hasWord ? [`cell ${at + 1} says ${first}`] : []),
    ...(hasOtherWidth ? [`it has ${counted(cells.length, 'cell')}`] : []),
    ...(count ? [`cell ${count.cell} has the number of rows, ${rows}`] : []),
    ...sums.map(({ text }) => text),
  ];
  const word = hasWord ? { cell: at + 1, equals: first } : { cell: 1, equals: 'WORD' };
  const named = sums.flatMap(({ cell, column }) => (column === undefined ? [] : { cell, column }));
  const keys = {
    ...(count?.matches === undefined ? word : count),
    ...(count && { count: count.cell }),
    ...(named.length > 0 && { sums: named }),
  };
  const amounts = sums.map(({ cell }) => cells[cell - 1]!.trim());
  return { line, because: because.join('; '), keys, amounts };
}

/** The cell with the number of rows: `400`, or `Zeilen: 400`, which `^Zeilen: \\d+$` matches. */
function countIn(cells: readonly string[], rows: number): { cell: number; matches?: string } | undefined {
  const found = cells.flatMap((text, at): { cell: number; matches?: string }[] => {
    // A longer text is no sentence about the number of rows.
    const parts = text.length > LONGEST_LABEL ? null : /^(\D*)(\d+)(\D*)$/u.exec(text);
    const [, before = '', count = '', behind = ''] = parts ?? [];
    if (rows === 0 || count.replace(/^0+(?=\d)/, '') !== String(rows)) return [];
    const matches = String.raw`^${literalPattern(before)}\d+${literalPattern(behind)}$`;
    if (/\p{L}/u.test(before + behind)) return [{ cell: at + 1, matches }];
    return (before + behind).trim() === '' ? [{ cell: at + 1 }] : [];
  });
  return found.find(({ matches }) => matches !== undefined) ?? found[0];
}

/**
 * The numbers of a row of totals: each is the exact sum of a column, whatever zeros it ends with, or another number than the sum
 * of its column. A control total that is wrong must not go unnoticed.
 */
function sumsIn(cells: readonly string[], columns: Columns, isTotal: boolean) {
  const numbers = new NumberShapes();
  const decimals = columns.filter(({ isDecimal }) => isDecimal);
  const totals = columns.flatMap((column) =>
    DECIMAL_MARKS.flatMap((mark) => {
      const total = column.total(mark);
      return total ? { mark, column, total, text: withoutLastZeros(total.text) } : [];
    }),
  );
  return cells.flatMap((given, at): { cell: number; column?: string; isExact: boolean; text: string }[] => {
    const cell = at + 1;
    const shape = numbers.of(given.trim());
    if (!shape) return [];
    const found = totals.filter(({ mark, text }) => {
      const value = numbers.value(given.trim(), mark, shape);
      return value && withoutLastZeros(value.text) === text;
    });
    const exact = found.find(({ column, total }) => column.filled > 1 && !total.isZero)?.column.name;
    if (exact !== undefined)
      return [{ cell, column: exact, isExact: true, text: `cell ${cell} is the exact sum of "${exact}"` }];
    const below = cells.length === columns.length ? columns[at] : undefined;
    const isSum = below ? below.isDecimal || (isTotal && decimals.length === 0) : !shape.isInteger;
    const column = below ?? (decimals.length === 1 ? decimals[0] : undefined);
    if (!isSum || found.some((each) => each.column === column)) return [];
    const sum = totals.find((each) => each.column === column)?.total.text;
    const other =
      sum === undefined
        ? ', which is the sum of no column'
        : `, but the rows of "${column!.name}" add up to ${sum}`;
    const text = `cell ${cell} has ${given.trim()}${other}`;
    return [{ cell, ...(sum && { column: column!.name }), isExact: false, text }];
  });
}

const SUBTOTAL_WORD =
  /^[*\s]*(?:(?:\p{L}+ ){0,2}(?:sub[- ]?)?totals?|carried forward|zwischensumme|gesamtsumme|gesamt|summe|übertrag|sous-total|suma|razem|totale|subtotale|součet|celkem|összesen|toplam|итого|всего|σύνολο|小計|合計|総計)(?![\p{L}\p{N}])/iu;

const totalWordOf = (cell: string): string | undefined =>
  SUBTOTAL_WORD.exec(cell.trimStart().slice(0, LONGEST_LABEL))?.[0];

/** A label of totals ends within so many characters. A longer text would exhaust the stack of the expression. */
const LONGEST_LABEL = 200;

/** A row of totals has at most this share of the cells that a row of data has, in tenths. */
const SPARSE_TENTHS = 7;

/** A page and its number, in some cell. */
const PAGE =
  /^(?:page|pagina|página|seite|blatt|side|sida|sivu|strona|strana|oldal|sayfa|стр\.?|頁)\s*:?\s*\d+/iu;

/** Rows of totals with one word in one column. */
type TotalRows = Occurrences & {
  column: number;
  word: string;
  spaces: string;
  filled: Set<number>;
  /** What is wrong with the sums of the first row. */
  wrong: string;
};

/** Looks for lines that may be no rows: totals between the rows, and what comes on every page of a report. */
export class OtherLines {
  /** Lines above the header, without their digits. */
  private readonly titles: ReadonlySet<string>;
  private readonly delimiter: string;
  private readonly pages = new Tally();
  private readonly totals = new Map<string, TotalRows>();
  private rows = 0;
  private filledCells = 0;

  /** @param above the lines above the header */
  constructor(above: readonly string[], delimiter: string) {
    this.titles = new Set(above.filter((text) => /\p{L}/u.test(text)).map(withoutDigits));
    this.delimiter = delimiter;
  }

  /** Whether a row is a line above the header once more, or has the number of a page. */
  isPage({ cells, firstLine }: SourceRow): boolean {
    const line = withoutDigits(cells.join(this.delimiter));
    const isSparse = cells.filter((cell) => cell.trim() !== '').length * 2 <= Math.max(cells.length, 2);
    const isPage = this.titles.has(line) || (isSparse && cells.some((cell) => PAGE.test(cell.trim())));
    if (isPage) this.pages.add(line, firstLine);
    return isPage;
  }

  get words(): ReadonlySet<string> {
    return new Set([...this.totals.values()].map(({ word }) => word));
  }

  /** Whether a row begins with a word for a total and is mostly empty. */
  isTotal({ cells, firstLine }: SourceRow, columns: Columns): boolean {
    const filled = cells.flatMap((cell, at) => (cell.trim() === '' ? [] : [at + 1]));
    const column = filled[0] ?? 0;
    const first = cells[column - 1] ?? '';
    const word = totalWordOf(first);
    const usual = this.rows === 0 ? cells.length : this.filledCells / this.rows;
    if (word === undefined || filled.length * 10 > usual * SPARSE_TENTHS) {
      if (filled.length > 0) this.rows++;
      this.filledCells += filled.length;
      return false;
    }
    const key = `${column} ${word}`;
    const wrong = () => sumsIn(cells, columns, true).flatMap(({ isExact, text }) => (isExact ? [] : text));
    const added = () => ({ column, word, wrong: wrong().join('; '), spaces: '', filled: new Set<number>() });
    const known = this.totals.get(key) ?? Object.assign(new Occurrences(), added());
    this.totals.set(key, known);
    known.add(firstLine);
    known.spaces += /^\s*/.exec(first)![0];
    for (const each of filled) known.filled.add(each);
    return true;
  }

  /** The word of totals, null for lines of pages, and the regular expression of such lines. */
  result(width: number) {
    const totals = [...this.totals.values()].toSorted((a, b) => b.count - a.count);
    const pages = this.pages.ranked().map(({ name, ...seen }) => ({
      word: null,
      wrong: '',
      pattern: `^${literalPattern(name).replaceAll(DIGITS, '\\d+')}$`,
      ...seen,
    }));
    return [
      ...totals.map((rows) => ({
        word: rows.word,
        // A single one may be the total of all rows before it. Others are those of groups.
        wrong: rows.count === 1 ? rows.wrong : '',
        pattern: totalPattern(rows, width, literalPattern(this.delimiter)),
        count: rows.count,
        lines: rows.lines,
      })),
      ...pages,
    ];
  }
}

/** The regular expression of rows with the same word and the same empty cells. `\s` is ASCII only in RE2. */
function totalPattern({ column, word, spaces, filled }: TotalRows, width: number, mark: string): string {
  const any = `[^${mark}]*`;
  const before = /[^ \t\n\f\r]/.test(spaces) ? String.raw`[\s\p{Z}]*` : String.raw`\s*`;
  const cells = Array.from({ length: width }, (_, at) =>
    at + 1 === column ? `${before}${literalPattern(word)}${any}` : filled.has(at + 1) ? any : '',
  );
  return `^${cells.join(mark)}$`;
}

/** In place of digits. No line of a text has it. */
const DIGITS = '\0';

const withoutDigits = (text: string): string => text.replace(/^\f+/, '').replaceAll(/\d+/g, DIGITS);
