import { counted } from '../../output/text/text.ts';
import {
  headTrial,
  isNumber,
  NO_HEADER,
  type FirstLines,
  type HeaderRow,
  type HeadTrial,
} from './head-trial.ts';

/** How a file is cut into cells, and why. */
export interface LayoutFinding {
  /** Null when no character divides the rows. */
  readonly delimiter: string | null;
  /** `proven`: by the whole file. `assumed`: a person should confirm it. `open`: the file does not decide it. */
  readonly certainty: 'proven' | 'assumed' | 'open';
  readonly because: string;
  readonly quote: '"' | null;
  readonly escape: '"' | '\\' | null;
  /** The delimiters that divide rows. */
  readonly candidates: readonly string[];
  /** Cells that most rows have. */
  readonly width: number;
  readonly header: HeaderRow;
  /** Whether each line is one object of JSON. The columns are then key paths, and no delimiter divides anything. */
  readonly isJsonLines: boolean;
  /** Whether no delimiter divides the rows, and the lines look like columns at fixed places. */
  readonly hasPlaces: boolean;
}

/** Delimiters that are tried. Of equally good ones the first is believed. */
const DELIMITERS = [',', ';', '\t', '|'];

/**
 * How a file is cut into cells: the delimiter with which its first lines have the most columns, and nearly all rows as many.
 * @param given the delimiter that a person has typed
 */
export async function layoutFinding(given: string | undefined, head: FirstLines): Promise<LayoutFinding> {
  const separator = /^"?sep=(.)"?[ \t]*$/i.exec(head.lines[0] ?? '')?.[1];
  const named = given ?? separator;
  const trials: HeadTrial[] = [];
  for (const delimiter of named === undefined ? DELIMITERS : [named]) {
    const trial = await headTrial(head, delimiter);
    trials.push(isDoubled(trial) ? await headTrial(head, delimiter + delimiter) : trial);
  }
  const [chosen, ...others] = trials.toSorted(
    (a, b) => rank(a, trials) - rank(b, trials) || a.ragged - b.ragged || b.width - a.width,
  ) as [HeadTrial, ...HeadTrial[]];
  const { delimiter, width, header, quotes } = chosen;
  const places = given === undefined && width < 2 ? placesText(head) : undefined;
  const isAlone = named === undefined && width < 2;
  const reason =
    places === undefined
      ? delimiterReason(chosen, others, { given, separator })
      : ({ certainty: 'open', because: places } as const);
  return {
    delimiter: places !== undefined || isAlone ? null : delimiter,
    ...reason,
    ...quotes,
    candidates: trials.filter((each) => each.width > 1).map((each) => each.delimiter),
    width,
    header: places === undefined ? header : NO_HEADER,
    isJsonLines: false,
    hasPlaces: places !== undefined,
  };
}

/** Whether every other cell is empty below names, because two characters divide the cells. */
function isDoubled({ rows, width }: HeadTrial): boolean {
  const usual = rows.flatMap(({ cells }) => (cells.length === width ? [cells] : []));
  const isEvery = (cells: readonly string[], place: 0 | 1, isEmpty: boolean): boolean =>
    cells.every((cell, at) => at % 2 !== place || (cell === '') === isEmpty);
  return width > 2 && isEvery(usual[0]!, 0, false) && usual.every((cells) => isEvery(cells, 1, true));
}

/** Better trials have more than one column, do not cut numbers, have few ragged rows, and a header with names. */
function rank(trial: HeadTrial, all: readonly HeadTrial[]): number {
  if (trial.width < 2) return 8;
  return (
    (all.some((other) => isInNumbers(trial, other)) ? 4 : 0) +
    (isRagged(trial) ? 2 : 0) +
    (trial.header.looksLikeHeader ? 0 : 1)
  );
}

/** Ragged rows count only when they are many, because the right delimiter leaves some, too. */
const isRagged = ({ ragged, rows }: HeadTrial): boolean => ragged > 5 && ragged * 5 > rows.length;

/** Whether the delimiter of a trial occurs only inside of numbers when the rows are cut with another one. */
function isInNumbers({ delimiter }: HeadTrial, other: HeadTrial): boolean {
  if (other.delimiter === delimiter || other.width < 2) return false;
  const cells = other.data.flatMap((row) => row.cells.filter((cell) => cell.includes(delimiter)));
  return cells.length > 0 && cells.every((cell) => isNumber(cell.trim()));
}

/** Groups of dashes with spaces between them, as SQL*Plus and other reports draw them under the names of columns. */
const RULER = /^ *[-=]{2,}(?: +[-=]{2,})+ *$/;

/** What shows that lines have columns at fixed places; undefined when nothing does. */
function placesText({ lines, isWhole }: FirstLines): string | undefined {
  const ruler = lines.findIndex((line, at) => at > 0 && RULER.test(line) && lines[at - 1]!.trim() !== '');
  if (ruler > 0) return `line ${ruler + 1} draws dashes under the columns`;
  const filled = lines.filter((line) => line.trim() !== '');
  const of = isWhole ? 'all lines' : `the first ${lines.length} lines`;
  const [length = 0, ...others] = new Set(filled.map((line) => line.length));
  const [size, ...otherSizes] = new Set(filled.map((line) => Buffer.byteLength(line)));
  if (lines.length < 3 || length < 10) return undefined;
  if (others.length === 0) return `${of} are ${length} characters long`;
  const repair = 'repair it first (docs/mapping-recipes.md)';
  return otherSizes.length === 0
    ? `${of} are ${size} bytes long, but not as many characters: ${repair}`
    : undefined;
}

/** Why a trial is chosen. `separator`: the delimiter that the first line of the file names. */
function delimiterReason(
  chosen: HeadTrial,
  others: readonly HeadTrial[],
  { given, separator }: { given: string | undefined; separator: string | undefined },
): Pick<LayoutFinding, 'certainty' | 'because'> {
  const because = `${rowsText(chosen)} with it`;
  if (given !== undefined) return { certainty: 'proven', because: `given by --delimiter; ${because}` };
  if (separator !== undefined) return { certainty: 'assumed', because: 'the first line names it (`sep=`)' };
  if (
    chosen.width < 2 ||
    chosen.rows.every(({ cells }) => cells.every((cell, at) => at === 0 || cell === ''))
  )
    return {
      certainty: 'assumed',
      because:
        'no delimiter divides the rows; there is one column (docs/mapping-recipes.md has what to do where whole rows are in quotes)',
    };
  const other = others.find((trial) => isAsGood(trial, chosen));
  if (!other) {
    const isRare = chosen.ragged * 2 > chosen.rows.length;
    return isRare ? { certainty: 'open', because: `only ${because}` } : { certainty: 'assumed', because };
  }
  const named = other.delimiter === '\t' ? 'a tab' : `"${other.delimiter}"`;
  return { certainty: 'open', because: `${because}, and ${rowsText(other)} with ${named}` };
}

function rowsText({ rows, ragged, width, isWhole }: HeadTrial): string {
  const all = isWhole ? counted(rows.length, 'row') : `the first ${counted(rows.length, 'row')}`;
  return `${rows.length - ragged} of ${all} have ${counted(width, 'cell')}`;
}

/** Whether two delimiters fit equally well, so that the draft asks. */
function isAsGood(other: HeadTrial, chosen: HeadTrial): boolean {
  if (other.width < 2 || isInNumbers(other, chosen) || (isRagged(other) && !isRagged(chosen))) return false;
  const isAlike = other.header.looksLikeHeader === chosen.header.looksLikeHeader;
  return isAlike && other.ragged <= chosen.ragged;
}
