import { USUAL_DELIMITERS, type Cut, type DelimiterProfile } from './delimiter-profile.ts';
import type { HeaderRow, LayoutFinding } from '../inspection.ts';
import { numberShape } from '../column/number-shape.ts';
import { counted } from '../column/occurrences.ts';
import { RowCutter, type LooseRow, type RowShape } from './row-cutter.ts';
import type { TextLine } from '../bytes/text-lines.ts';
import { fitsFormat, formatsFor } from '../column/date-formats.ts';

/** The rows of a file, cut with one delimiter. */
export interface Trial {
  readonly cut: Cut;
  readonly width: number;
  /** Rows of another width. */
  readonly ragged: number;
  readonly header: HeaderRow | undefined;
  /** The first rows. */
  readonly head: readonly LooseRow[];
}

/** Every delimiter that makes sense, best first. `given`: the delimiter that a person has typed. */
export function delimiterTrials(
  profile: DelimiterProfile,
  head: readonly TextLine[],
  given: string | null,
): readonly Trial[] {
  const delimiters = [...new Set(profile.cuts.map(({ delimiter }) => delimiter))];
  const trials = delimiters
    .map((delimiter) => trialOf(delimiter, profile, head))
    .filter(({ cut, width, header }) => {
      const isUsual = USUAL_DELIMITERS.includes(cut.delimiter) || cut.delimiter === given;
      return isUsual || (width > 1 && header?.looksLikeHeader);
    });
  const dividing = trials.filter(({ width }) => width > 1);
  const inNumbers = new Set(
    trials.filter((trial) =>
      dividing.some((other) => other !== trial && occursInNumbers(trial.cut.delimiter, other)),
    ),
  );
  const rank = (trial: Trial): number => (inNumbers.has(trial) ? 1 : 0);
  return trials.toSorted((a, b) => rank(a) - rank(b) || compareTrials(a, b));
}

/** Whether a character occurs only inside numbers below the header, when a file is cut with another delimiter. */
function occursInNumbers(character: string, { head, width, header }: Trial): boolean {
  const cells = head
    .filter((row) => row.cells.length === width && (!header?.looksLikeHeader || row.firstLine > header.line))
    .flatMap((row) => row.cells.filter((cell) => cell.includes(character)));
  return cells.length > 0 && cells.every((cell) => numberShape(cell.trim()) !== undefined);
}

function trialOf(delimiter: string, profile: DelimiterProfile, lines: readonly TextLine[]): Trial {
  const [quoted, plain] = profile.cuts.filter((cut) => cut.delimiter === delimiter) as [Cut, Cut];
  // Quotation marks may be something else than quotes: inches, names of songs.
  const cut = isSpoiled(quoted, plain) ? plain : quoted;
  const width = cut.widths[0]?.cells ?? 0;
  const escape = cut.quote === null ? null : escapeOf(profile);
  const head = headRows(lines, { delimiter, quote: cut.quote, escape }, width);
  const ragged = cut.rows - (cut.widths[0]?.rows ?? 0);
  return { cut, width, ragged, header: headerRow(head, width), head };
}

/**
 * The first rows. A quote above the header that is never closed would take the header for a part of its cell, so a row of
 * several lines and another width is cut again, line by line, until a row has the usual width.
 */
function headRows(lines: readonly TextLine[], shape: RowShape, width: number): readonly LooseRow[] {
  const rows: LooseRow[] = [];
  for (let at = 0; at < lines.length;) {
    const cutter = new RowCutter(shape);
    let row: LooseRow | undefined;
    let next = at;
    while (row === undefined && next < lines.length) row = cutter.accept(lines[next++]!);
    const isLost = row !== undefined && row.cells.length !== width && next > at + 1;
    if (isLost && !rows.some(({ cells }) => cells.length === width)) {
      const { text, number } = lines[at]!;
      rows.push({ cells: text.split(shape.delimiter), firstLine: number, lastLine: number, isBlank: false });
      at++;
      continue;
    }
    if (row) rows.push(row);
    at = next;
  }
  return rows;
}

/**
 * Whether quotation marks are part of the values. The rows decide, and not what is above or below them: an unclosed quote
 * there would take rows for one cell.
 */
function isSpoiled(quoted: Cut, plain: Cut): boolean {
  const width = plain.widths[0]?.cells ?? 0;
  const inRows = quoted.quotesByWidth.get(quoted.widths[0]?.cells ?? 0) ?? { quoted: 0, spoiled: 0 };
  if (inRows.quoted > 0) return inRows.spoiled * 2 > inRows.quoted;
  const spoils = quoted.unclosedQuotes + quoted.misplacedQuotes;
  return width > 1 && spoils > 0 && spoils * 2 > quoted.quotedCells;
}

/** A backslash escapes only where no quote inside quotes is doubled. In other files a backslash is a backslash. */
export function escapeOf({ backslashQuotes, doubledQuotes }: DelimiterProfile): '"' | '\\' {
  return backslashQuotes > 0 && doubledQuotes === 0 ? '\\' : '"';
}

/** Better trials first: more than one cell, a header with names, few ragged rows, many cells. */
function compareTrials(a: Trial, b: Trial): number {
  const divides = ({ width }: Trial): number => (width > 1 ? 0 : 1);
  const headed = ({ header }: Trial): number => (header?.looksLikeHeader ? 0 : 1);
  return (
    divides(a) - divides(b) ||
    manyRagged(a) - manyRagged(b) ||
    headed(a) - headed(b) ||
    a.ragged - b.ragged ||
    b.width - a.width
  );
}

/** Ragged rows count only when they are many, because preambles and trailers are ragged with the right delimiter, too. */
const manyRagged = ({ ragged, cut }: Trial): number => (ragged * 5 > cut.rows && ragged > 5 ? 1 : 0);

/** The delimiter of the chosen trial, and why. `separator`: the delimiter that the first line of the file names. */
export function delimiterFinding(
  chosen: Trial,
  trials: readonly Trial[],
  { given, separator }: { given: string | null; separator: string | undefined },
): Pick<LayoutFinding, 'delimiter' | 'certainty' | 'because'> {
  const { cut, width, ragged } = chosen;
  const { delimiter } = cut;
  const rows = `${cut.rows - ragged} of ${counted(cut.rows, 'row')} have ${counted(width, 'cell')} with it`;
  if (given !== null) return { delimiter, certainty: 'proven', because: `given by --delimiter; ${rows}` };
  if (separator === delimiter)
    return { delimiter, certainty: 'assumed', because: 'the first line names it (`sep=`)' };
  if (width < 2) {
    const because = 'no delimiter divides the rows; there is one column';
    return { delimiter: null, certainty: 'assumed', because };
  }
  const other = trials.find((trial) => trial !== chosen && isAsGood(trial, chosen));
  if (other) {
    const because = `${rows}, but ${other.cut.rows - other.ragged} have ${other.width} with ${written(other.cut.delimiter)}`;
    return { delimiter, certainty: 'open', because };
  }
  if (ragged * 2 > cut.rows) return { delimiter, certainty: 'open', because: `only ${rows}` };
  return { delimiter, certainty: 'assumed', because: rows };
}

function isAsGood(other: Trial, chosen: Trial): boolean {
  if (other.width < 2 || manyRagged(other) > manyRagged(chosen)) return false;
  if (occursInNumbers(other.cut.delimiter, chosen)) return false;
  return (
    (other.header?.looksLikeHeader ?? false) === (chosen.header?.looksLikeHeader ?? false) &&
    other.ragged <= chosen.ragged
  );
}

/** The delimiter as a person names it. */
const written = (delimiter: string): string => (delimiter === '\t' ? 'a tab' : `"${delimiter}"`);

const LONGEST_NAME = 100;

/**
 * The header among the first rows: the first filled row of the usual width. Rows before it are preamble. Undefined when no
 * row has the width.
 */
function headerRow(rows: readonly LooseRow[], width: number): HeaderRow | undefined {
  const candidates = rows.filter((row) => !row.isBlank && row.cells.length === width);
  // Rows with gaps above a header without gaps are a preamble that a spreadsheet has padded.
  const firstFull = candidates.find(({ cells }) => cells.every((cell) => cell.trim() !== ''));
  const most = Math.max(0, ...candidates.map(filledIn));
  const isNotPadded = (each: LooseRow): boolean => each.cells.length === 1 || filledIn(each) * 2 > most;
  const row =
    firstFull && areNames(firstFull.cells) ? firstFull : (candidates.find(isNotPadded) ?? candidates[0]);
  if (!row) return undefined;
  return { line: row.firstLine, names: row.cells, looksLikeHeader: areNames(row.cells) };
}

/** Padding leaves most cells of a row empty that other rows fill. */
const filledIn = ({ cells }: LooseRow): number => cells.filter((cell) => cell.trim() !== '').length;

/** Spreadsheets leave columns without a name at the end, and some between the others. */
function areNames(row: readonly string[]): boolean {
  const cells = row.slice(0, row.findLastIndex((cell) => cell.trim() !== '') + 1);
  const names = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  return names.length > 0 && names.length * 4 >= cells.length * 3 && names.every(isName);
}

function isName(cell: string): boolean {
  if (cell.length > LONGEST_NAME || numberShape(cell) !== undefined) return false;
  return !formatsFor(cell).some((format) => fitsFormat(cell, format));
}
