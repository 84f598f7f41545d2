import { openLine, PLAIN_EVERY_MS, type LineIo } from './live-line.ts';
import type { ProgressFlags } from './progress.ts';
import { escapeControl, restText } from '../text/text.ts';

/** Shows what a command waits for before it does anything else, and how long it still waits at most. */
export interface WaitingLine {
  /** Shows what the command waits for now, and until when at most. */
  show(state: string, untilMs?: number): void;
  /** Ends the line. Call it before anything else is printed. */
  stop(): void;
}

/**
 * Begins a wait until a time of the monotonic clock. A terminal shows the line after a second, or at the first `show`. Elsewhere a line
 * comes when the state changes, and every ten seconds, as with `--no-progress`.
 */
export async function waitingLine(
  { quiet, progress, color }: ProgressFlags,
  io: LineIo,
  { state, untilMs }: { state: string; untilMs: number },
): Promise<WaitingLine> {
  if (quiet) return { show: () => undefined, stop: () => undefined };
  let [waitsFor, endsMs] = [state, untilMs];
  const shown = { state, lineMs: io.timing.monotonicMs() };
  const line = await openLine<never>(io, {
    color,
    redraws: progress,
    text: (nowMs) => escapeControl(`${waitsFor}; waiting up to ${restText(endsMs - nowMs)}`),
    isDue(_, nowMs) {
      if (waitsFor === shown.state && nowMs - shown.lineMs < PLAIN_EVERY_MS) return false;
      Object.assign(shown, { state: waitsFor, lineMs: nowMs });
      return true;
    },
  });
  return {
    show(state, until = endsMs) {
      [waitsFor, endsMs] = [state, until];
      line.show();
    },
    stop: line.stop,
  };
}
