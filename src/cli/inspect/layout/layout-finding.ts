import { delimiterFinding, delimiterTrials, escapeOf, type Trial } from './delimiter-finding.ts';
import type { DelimiterProfile } from './delimiter-profile.ts';
import type { LayoutFinding, TextProfile, RuledColumns } from '../inspection.ts';
import type { TextLine } from '../bytes/text-lines.ts';

const SHOWN_WIDTHS = 5;

/** How a file is cut into cells. */
export function layoutFinding({
  given,
  profile,
  head,
  text,
}: {
  /** The delimiter that a person has typed; null when nobody did. */
  given: string | null;
  profile: DelimiterProfile;
  head: readonly TextLine[];
  text: TextProfile;
}): LayoutFinding {
  const trials = delimiterTrials(profile, head, given);
  const separator = /^"?sep=(.)"?[ \t]*$/i.exec(head[0]?.text ?? '')?.[1];
  const chosen = trials.find(({ cut }) => cut.delimiter === (given ?? separator)) ?? trials[0]!;
  const ruled = given === null && chosen.width === 1 ? ruledColumns(head) : undefined;
  const fixed = given === null && !ruled ? fixedColumns(text, chosen) : null;
  const places = ruled
    ? `line ${ruled.line} draws dashes under the columns`
    : fixed && `all lines are ${fixed.length} characters long`;
  const delimiter =
    places === null
      ? delimiterFinding(chosen, trials, { given, separator })
      : ({ delimiter: null, certainty: 'open', because: places } as const);
  return {
    ...delimiter,
    quote: chosen.cut.quote,
    escape: chosen.cut.quote === null ? null : escapeOf(profile),
    candidates: trials.map(({ cut, header }) => ({
      delimiter: cut.delimiter,
      rows: cut.rows,
      widths: cut.widths.slice(0, SHOWN_WIDTHS),
      hasHeader: header?.looksLikeHeader ?? false,
    })),
    width: chosen.width,
    header: (fixed || ruled ? undefined : chosen.header) ?? { line: 1, names: [], looksLikeHeader: false },
    hasSeparatorLine: separator !== undefined,
    isJsonLines: false,
    lists: [],
    fixed,
    ruled: ruled ?? null,
  };
}

/** Columns of lines that have one length and that no delimiter divides. Positions that are blank on every line end columns. */
function fixedColumns(text: TextProfile, { width, ragged, cut }: Trial): LayoutFinding['fixed'] {
  const { shortest, longest } = text.lengths;
  if (text.blankPositions === null || cut.rows < 3 || longest < 10 || shortest !== longest) return null;
  if (width > 1 && ragged * 5 <= cut.rows) return null;
  const blanks = new Set(text.blankPositions);
  const starts = Array.from({ length: longest }, (_, at) => at).filter(
    (at) => at === 0 || (blanks.has(at - 1) && !blanks.has(at)),
  );
  const widths = starts.map((start, index) => (starts[index + 1] ?? longest) - start);
  return { length: longest, widths };
}

/** Groups of dashes with spaces between them, as SQL*Plus and other reports draw them under the names of columns. */
const RULER = /^ *[-=]{2,}(?: +[-=]{2,})+ *$/;

/** Columns at fixed places, as a line of dashes under a header shows them; undefined when no such line is in the first lines. */
function ruledColumns(head: readonly TextLine[]): RuledColumns | undefined {
  const at = head.findIndex(({ text }, index) => index > 0 && RULER.test(text));
  const names = head[at - 1]?.text ?? '';
  if (at < 1 || names.trim() === '') return undefined;
  const ruler = head[at]!;
  const groups = [...ruler.text.matchAll(/[-=]+/g)];
  const columns = groups.flatMap(({ index, 0: dashes }, number) => {
    const before = number === 0 ? 0 : groups[number - 1]!.index + groups[number - 1]![0].length;
    const name = names.slice(index, groups[number + 1]?.index).trim();
    const column = { name: name === '' ? `COLUMN_${number + 1}` : name, width: dashes.length };
    return index > before ? [{ name: null, width: index - before }, column] : [column];
  });
  const length = columns.reduce((sum, { width }) => sum + width, 0);
  const rest = head.slice(at + 1);
  const end = rest.findIndex(({ text }) => text.trim() === '' || RULER.test(text));
  const rows = rest.slice(0, end < 0 ? undefined : end);
  return {
    line: ruler.number,
    columns,
    above: head.slice(0, at + 1).map(({ text }) => text),
    isTrimmed: rows.some(({ text }) => text.length < length),
  };
}
