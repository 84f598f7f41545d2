import type { ExitName } from '../exit-codes.ts';
import type * as GitHub from './github.ts';
import type { Annotated } from './github.ts';
import type { JsonDocument } from '../json.ts';
import type { Paint } from '../text/paint.ts';

/** How one kind of result is shown. A further format for the terminal is a further member here and in `ShownResult`. */
interface ResultFormats<Result> {
  /** The document of `--json`. */
  document(result: Result, exit: ExitName): JsonDocument;
  /** What a person reads. A plain text goes to standard output. */
  text(result: Result, view: View): Shown;
  /** What goes to standard error beside the document of `--json`. */
  messages?(result: Result, paint: Paint): string;
  /** What is also shown in a step of GitHub Actions. `github`: its format, which is loaded only there. */
  annotated?(result: Result, github: typeof GitHub): Annotated | undefined;
}

/** A result with the formats in which it is shown. */
export interface ShownResult {
  document(exit: ExitName): JsonDocument;
  text(view: View): Shown;
  messages(paint: Paint): string;
  annotated(github: typeof GitHub): Annotated | undefined;
}

/** Gives a result its formats: a command imports the function that its kind of result gets here. */
export function shownAs<Result>(formats: ResultFormats<Result>): (result: Result) => ShownResult {
  return (result) => ({
    document: (exit) => formats.document(result, exit),
    text: (view) => formats.text(result, view),
    messages: (paint) => formats.messages?.(result, paint) ?? '',
    annotated: (github) => formats.annotated?.(result, github),
  });
}

/** Text, or several texts for the two streams in the order in which they are written. */
export type Shown = string | readonly (readonly [stream: 'stdout' | 'stderr', text: string])[];

/** What a text for people depends on, beside the result. */
export interface View {
  readonly exit: ExitName;
  /** Whether a person is watching standard output. */
  readonly isTTY: boolean;
  readonly quiet: boolean;
  paint(stream: 'stdout' | 'stderr'): Paint;
  /** The folder that paths are shown relative to. */
  readonly cwd: string;
}

/** Flags that decide how a command shows things. */
export interface OutputFlags {
  /** Standard output is one JSON document. */
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** False with --no-color. */
  readonly color: boolean;
  /** False with --no-progress. */
  readonly progress: boolean;
}
