import { EXITS, type ExitName } from './exit-codes.ts';
import { PLAIN, type Paint } from './text/paint.ts';
import type { ReportedProblem } from './text/problem-line.ts';
import { columnsText } from './text/table.ts';
import { escapeControl } from './text/text.ts';

/** What a command found, as data. Every result has the same envelope and the same renderer. */
export interface Result {
  /** The members of the document of `--json` beside those of the envelope. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** What a person reads before the next step. */
  text(view: View): readonly Part[];
  readonly problems?: readonly ReportedProblem[];
  /** A command that helps, or who has to do what; null when nothing is left to do. Several commands are typed one after the other. */
  readonly next?: string | readonly string[] | null;
  /** Whether the same command goes on with the run; in documents of runs and checks only. */
  readonly resumable?: boolean;
  /** The problems that GitHub Actions shows beside the lines of their files. */
  readonly annotated?: readonly ReportedProblem[] | undefined;
}

/** A part of a text. The renderer escapes it. */
export type Part =
  /** A line. */
  | string
  /** Labels in a column, each with a text. */
  | { readonly facts: readonly (readonly [label: string, text: string])[] }
  /** A head and rows; `right`: the columns whose cells end below each other. */
  | { readonly table: readonly (readonly string[])[]; readonly right?: readonly number[] }
  /** Lines that are escaped already, some of them in colours. */
  | { readonly lines: string | ((paint: Paint) => string) }
  /** Goes to standard error, also beside the document of --json. */
  | { readonly stderr: Part };

/** Flags that decide how a command shows things. */
export interface OutputFlags {
  /** Standard output is one JSON document. */
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** False with --no-progress. */
  readonly progress: boolean;
}

/** What a text for people depends on, beside the result. `isTTY`: whether a person is watching standard output. */
export type View = OutputFlags & { readonly isTTY: boolean };

/** An exit in documents. Scripts rely on number and name. */
export type ExitDocument = Readonly<{ code: number; name: string; resumable?: boolean }>;

/** The envelope of every document of `--json`. `version` is the version of its shape. */
export interface Envelope {
  readonly version: 1;
  readonly exit: ExitDocument;
  readonly problems: readonly ReportedProblem[];
  readonly next: string | readonly string[] | null;
}

export function exitDocument(name: ExitName): ExitDocument {
  return { code: EXITS[name].code, name: EXITS[name].name };
}

/** The document of `--json`. */
export function documentOf(
  { fields, problems = [], next = null, resumable }: Omit<Result, 'text'>,
  exit: ExitName,
): Envelope {
  const ending = { ...exitDocument(exit), ...(resumable !== undefined && { resumable }) };
  return { version: 1, exit: ending, problems, next, ...fields };
}

/** The text of a result with its next step. */
export function partsOf(result: Result, view: View): readonly Part[] {
  const next = [result.next ?? []].flat();
  return [...result.text(view), ...next.map((command) => `next: ${command}`)];
}

/** A part as text, escaped. */
export function textOf(part: Part, paint: Paint = PLAIN): string {
  if (typeof part === 'string') return `${escapeControl(part)}\n`;
  if ('stderr' in part) return textOf(part.stderr, paint);
  if ('lines' in part) return typeof part.lines === 'string' ? part.lines : part.lines(paint);
  if ('table' in part) {
    const { table, right = [] } = part;
    const aligns = (table[0] ?? []).map((_, column) => (right.includes(column) ? 'right' : 'left'));
    return columnsText(
      table.map((row) => row.map(escapeControl)),
      aligns,
    );
  }
  const width = Math.max(...part.facts.map(([label]) => label.length)) + 2;
  return part.facts.map(([label, text]) => textOf(label.padEnd(width) + text)).join('');
}
