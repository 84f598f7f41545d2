import type { ExitName } from './exit-codes.ts';
import type { Io, TextOutput } from '../outside/io.ts';
import type { PushEvent } from '../push/events.ts';
import { shownEvent, type OutputEvent } from './output-events.ts';
import type { OutputFlags, Shown, ShownResult } from './formats/result-formats.ts';
import { jsonText, type JsonDocument } from './json.ts';
import { mayColor, paintFor, type Paint } from './text/paint.ts';
import type { Progress } from './progress/progress.ts';
import type { WaitingLine } from './progress/waiting-line.ts';

/** What a command shows while it runs. Its result is shown when it has ended. */
export interface OutputPort {
  /** Whether a person reads what is printed: text on a terminal, and not in CI, whose logs others read. */
  readonly isRead: boolean;
  emit(event: OutputEvent): void;
  /** Starts showing the progress of a run on standard error. `first`: what is known before anything is done. */
  progress(first?: PushEvent, asks?: boolean): Promise<Progress>;
  /** Begins to show a wait, until it is stopped. `untilMs`: when the command gives up, by the monotonic clock. */
  waiting(wait: { readonly state: string; readonly untilMs: number }): Promise<WaitingLine>;
  /** Shows a part of the result early. The document of --json has it later, as a part of the whole. */
  showPart(part: ShownResult, exit: ExitName): void;
}

export interface Output extends OutputPort {
  /** Shows the result. Text is written at once. The document of --json waits for `finish`, because a failure may replace it. */
  show(result: ShownResult, exit: ExitName): Promise<void>;
  /** Writes the document of --json. */
  finish(): void;
}

export function openOutput(flags: OutputFlags, io: Io): Output {
  const { json, quiet } = flags;
  let document: JsonDocument | undefined;
  // Each stream on its own: problems may go to a terminal while the result goes to a file.
  const paint = (stream: 'stdout' | 'stderr'): Paint => paintFor(io[stream], flags, io);
  const showText = (result: ShownResult, exit: ExitName): void => {
    if (json) write([['stderr', result.messages(paint('stderr'))]], io);
    else write(result.text({ exit, quiet, isTTY: io.stdout.isTTY, cwd: io.cwd, paint }), io);
  };
  return {
    isRead: !json && io.stdout.isTTY && io.stderr.isTTY && (io.env['CI'] ?? '') === '',
    emit: (event) => write(shownEvent(event, flags, paint('stderr')), io),
    progress: async (first, asks) => {
      const color = mayColor(io.stderr, flags, io);
      // Loaded before anything is sent: a process without a free file descriptor could not show how a run has ended. Its command
      // has imported the formats of the result.
      await Promise.all([import('./failure.ts'), import('./formats/github.ts')]);
      return (await import('./progress/progress.ts')).showProgress({ ...flags, color, asks }, io, first);
    },
    waiting: async (wait) => {
      const color = mayColor(io.stderr, flags, io);
      return (await import('./progress/waiting-line.ts')).waitingLine({ ...flags, color }, io, wait);
    },
    showPart(part, exit) {
      showText(part, exit);
      // A blank line between parts.
      if (!json) io.stdout.write('\n');
    },
    async show(result, exit) {
      if (json) document = result.document(exit);
      showText(result, exit);
      if (!isOnGitHub(io)) return;
      const github = await import('./formats/github.ts');
      const annotated = result.annotated(github);
      if (annotated) github.showOnGitHub(annotated, io, json);
    },
    finish() {
      if (document) writeDocument(io.stdout, document);
    },
  };
}

/** Shows the failure that ended a command, as text and with --json also as the one document. How the command ends. */
export async function showFailure(
  error: unknown,
  io: Io,
  { json, color }: Pick<OutputFlags, 'json' | 'color'>,
): Promise<ExitName> {
  const { failureDocument, failureOf, failureText } = await import('./failure.ts');
  const failure = failureOf(error);
  if (json) writeDocument(io.stdout, failureDocument(failure));
  io.stderr.write(failureText(failure, paintFor(io.stderr, { color }, io)));
  if (isOnGitHub(io)) {
    const { failureSummary, showOnGitHub } = await import('./formats/github.ts');
    showOnGitHub({ problems: failure.problems, summary: failureSummary(failure) }, io, json);
  }
  return failure.exit;
}

/** Whether this is a step of GitHub Actions. */
const isOnGitHub = ({ env }: Io): boolean => env['GITHUB_ACTIONS'] === 'true';

function writeDocument(stdout: TextOutput, document: JsonDocument): void {
  stdout.write(`${jsonText(document, 2)}\n`);
}

/** A stream is opened by its first write, so a stream that gets nothing stays closed. */
function write(shown: Shown, io: Io): void {
  const parts = typeof shown === 'string' ? ([['stdout', shown]] as const) : shown;
  for (const [stream, text] of parts) if (text !== '') io[stream].write(text);
}
