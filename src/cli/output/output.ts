import { nextStepOf, sentenceOf } from '../../core/error-codes/sentence.ts';
import type { ErrorCode } from '../../core/error-codes/table.ts';
import type { Facts } from '../../core/problem.ts';
import type { Io } from '../outside/io.ts';
import type { ProblemGroup } from '../push/ports/report.ts';
import type { ExitName } from './exit-codes.ts';
import { jsonText } from './json.ts';
import {
  documentOf,
  partsOf,
  textOf,
  type Envelope,
  type OutputFlags,
  type Part,
  type Result,
} from './result.ts';
import type { ReportedProblem } from './text/problem-line.ts';
import { paintFor } from './text/paint.ts';
import { restText } from './text/text.ts';
import { warningsText } from './text/problem-list.ts';
import type { Progress } from './progress/progress.ts';

/** What a command shows before it has a result. */
export type OutputEvent =
  /**
   * A line for people. `when`: with every flag, which is the default; not beside a document and not with --quiet, unless with
   * --verbose; with --verbose alone.
   */
  | Readonly<{ kind: 'notice'; text: string; when?: 'always' | 'talking' | 'verbose' }>
  /** Something is unsafe, and the command goes on. */
  | Readonly<{ kind: 'warning'; code: ErrorCode; facts: Facts }>
  /** Warnings about the rows of files, before anything of them is sent. */
  | Readonly<{ kind: 'row_warnings'; groups: readonly ProblemGroup[] }>
  /** A part of what the command is asked for. `line`: the same for a program, with --json. */
  | Readonly<{ kind: 'shown'; parts: readonly Part[]; line?: string }>;

/** What a command shows while it runs. Its result is shown when it has ended. */
export interface OutputPort {
  /** Whether a person reads what is printed: text on a terminal, and not in CI, whose logs others read. */
  readonly isRead: boolean;
  emit(event: OutputEvent): void;
  /** Starts showing the progress of a run on standard error. */
  progress(): Promise<Progress>;
  /** Shows what a command waits for, and for how long at most, in milliseconds. The same state is shown once. */
  waiting(state: string, leftMs: number): void;
}

export interface Output extends OutputPort {
  /** Shows the result. Text is written at once. The document of --json waits for `finish`, because a failure may replace it. */
  show(result: Result, exit: ExitName): Promise<void>;
  /** Writes the document of --json. */
  finish(): void;
}

export function openOutput(flags: OutputFlags, io: Io): Output {
  const { json } = flags;
  let document: Envelope | undefined;
  let waitsFor = '';
  const write = (stream: 'stdout' | 'stderr', parts: readonly Part[]): void => {
    // Each stream on its own: problems may go to a terminal while the result goes to a file.
    const paint = paintFor(io[stream], io);
    const text = parts.map((part) => textOf(part, paint)).join('');
    // A stream is opened by its first write, so a stream that gets nothing stays closed.
    if (text !== '') io[stream].write(text);
  };
  const show = (parts: readonly Part[], isResult: boolean): void => {
    for (let from = 0, to = 0; from < parts.length; from = to) {
      const stream = streamOf(parts[from]!);
      while (to < parts.length && streamOf(parts[to]!) === stream) to++;
      if (!json || !isResult || stream === 'stderr') write(stream, parts.slice(from, to));
    }
  };
  return {
    isRead: !json && io.stdout.isTTY && io.stderr.isTTY && (io.env['CI'] ?? '') === '',
    emit: (event) => show(shownEvent(event, flags), !('line' in event)),
    progress: async () => {
      // Loaded before anything is sent: a process without a free file descriptor could not show how a run has ended. Its command
      // has imported the formats of the result.
      await Promise.all([import('./failure.ts'), import('./formats/github.ts')]);
      return (await import('./progress/progress.ts')).showProgress(flags, io);
    },
    waiting(state, leftMs) {
      if (!flags.quiet && state !== waitsFor)
        show([{ stderr: `${state}; waiting up to ${restText(leftMs)}` }], true);
      waitsFor = state;
    },
    async show(result, exit) {
      if (json) document = documentOf(result, exit);
      show(partsOf(result, { ...flags, isTTY: io.stdout.isTTY }), true);
      await showOnGitHub(result.annotated ?? [], io, json);
    },
    finish() {
      if (document) writeDocument(io, document);
    },
  };
}

/** How an event is shown. Empty where the flags leave it out. */
function shownEvent(event: OutputEvent, { json, quiet, verbose }: OutputFlags): readonly Part[] {
  switch (event.kind) {
    case 'notice': {
      const { text: stderr, when = 'always' } = event;
      const isShown = verbose || when === 'always' || (when === 'talking' && !json && !quiet);
      return isShown ? [{ stderr }] : [];
    }
    case 'warning': {
      const { code, facts } = event;
      const warning = `dataimport: warning ${code} ${sentenceOf(code, facts)}`;
      return [{ stderr: warning }, { stderr: `next: ${nextStepOf(code, facts)}` }];
    }
    case 'row_warnings':
      return [{ stderr: { lines: (paint) => warningsText(event.groups, paint) } }];
    case 'shown':
      return json && event.line !== undefined ? [{ lines: event.line }] : event.parts;
    default:
      return event satisfies never;
  }
}

const streamOf = (part: Part): 'stdout' | 'stderr' =>
  typeof part === 'object' && 'stderr' in part ? 'stderr' : 'stdout';

/** Shows the failure that ended a command, as text and with --json also as the one document. How the command ends. */
export async function showFailure(error: unknown, io: Io, json = false): Promise<ExitName> {
  const { failureOf, failureText } = await import('./failure.ts');
  const failure = failureOf(error);
  const { exit, problems, next } = failure;
  if (json) writeDocument(io, documentOf({ fields: {}, problems, next }, exit));
  io.stderr.write(failureText(failure, paintFor(io.stderr, io)));
  await showOnGitHub(problems, io, json);
  return exit;
}

/** Shows problems in a step of GitHub Actions. */
async function showOnGitHub(problems: readonly ReportedProblem[], io: Io, json: boolean): Promise<void> {
  if (io.env['GITHUB_ACTIONS'] === 'true' && problems.length > 0)
    (await import('./formats/github.ts')).annotate(problems, io, json);
}

function writeDocument({ stdout }: Pick<Io, 'stdout'>, document: Envelope): void {
  stdout.write(`${jsonText(document, 2)}\n`);
}
