import { delimiterFinding, delimiterTrials, escapeOf, type Trial } from './delimiter-finding.ts';
import type { DelimiterProfile } from './delimiter-profile.ts';
import type { LayoutFinding, TextProfile } from '../inspection.ts';
import { ruledColumns } from './ruled-columns.ts';
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
