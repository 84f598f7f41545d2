import type { Cut } from './delimiter-census.ts';
import {
  delimiterDecision,
  delimiterWays,
  escapeOf,
  type LayoutFindings,
  type Way,
} from './delimiter-ways.ts';
import type { Certainty } from './encoding-finding.ts';
import type { HeaderRow } from './header-row.ts';
import type { TextCensus } from './text-census.ts';
import type { TextLine } from './text-lines.ts';

/** One delimiter, and what the rows are with it. */
export interface DelimiterEvidence {
  readonly delimiter: string;
  readonly rows: number;
  /** The commonest numbers of cells. */
  readonly widths: Cut['widths'];
  /** Whether the first row of the commonest width could be a header. */
  readonly hasHeader: boolean;
}

/** How a file is cut into cells, and why. */
export interface LayoutEvidence {
  /** Null when no character divides the rows. */
  readonly delimiter: string | null;
  readonly certainty: Certainty;
  readonly because: string;
  readonly quote: '"' | null;
  readonly escape: '"' | '\\' | null;
  readonly candidates: readonly DelimiterEvidence[];
  /** Cells that most rows have. */
  readonly width: number;
  readonly header: HeaderRow;
  /** The first line is `sep=` and a delimiter, as Excel writes it. */
  readonly hasSeparatorLine: boolean;
  /** Set when the lines look like columns at fixed places. */
  readonly fixed: { readonly length: number; readonly widths: readonly number[] } | null;
}

const SHOWN_WIDTHS = 5;

export function layoutEvidence(findings: LayoutFindings): LayoutEvidence {
  const { given } = findings;
  const ways = delimiterWays(findings);
  const separator = separatorOf(findings.head[0]);
  const chosen = ways.find(({ cut }) => cut.delimiter === (given ?? separator)) ?? ways[0]!;
  const fixed = given === null ? fixedOf(findings.text, chosen) : null;
  const { delimiter, certainty, because } = fixed
    ? {
        delimiter: null,
        certainty: 'open' as const,
        because: `all lines are ${fixed.length} characters long`,
      }
    : delimiterDecision(chosen, ways, { given, separator });
  const isQuoted = chosen.cut.quote !== null;
  return {
    delimiter,
    certainty,
    because,
    quote: chosen.cut.quote,
    escape: isQuoted ? escapeOf(findings) : null,
    candidates: ways.map(({ cut, header }) => ({
      delimiter: cut.delimiter,
      rows: cut.rows,
      widths: cut.widths.slice(0, SHOWN_WIDTHS),
      hasHeader: header?.looksLikeHeader ?? false,
    })),
    width: chosen.width,
    header: (fixed ? undefined : chosen.header) ?? { line: 1, names: [], looksLikeHeader: false },
    hasSeparatorLine: separator !== undefined,
    fixed,
  };
}

function separatorOf(first: TextLine | undefined): string | undefined {
  return /^"?sep=(.)"?[ \t]*$/i.exec(first?.text ?? '')?.[1];
}

/** Lines of one length that nothing divides; positions that are blank on every line show where columns end. */
function fixedOf(text: TextCensus, { width, ragged, cut }: Way): LayoutEvidence['fixed'] {
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
