import type { Ora } from 'ora';
import type { Io } from '../../outside/io.ts';
import { fileReason } from '../../../core/file-reason.ts';
import { observer } from '../../../core/observer.ts';
import { labelledLines } from '../text/text.ts';

/** The part of the outside that a line needs. */
export type LineIo = Pick<Io, 'stderr' | 'timing' | 'env' | 'every'>;

/**
 * A text on standard error that follows the clock: redrawn every second on a terminal, with further lines where it is too narrow, and
 * a plain line elsewhere, whenever one is due. Both also while nothing happens.
 */
export interface LiveLine<Cause> {
  /** Shows the text of now. After a failure nothing is shown any more. */
  show(cause?: Cause): void;
  /** Prints something else above the line. */
  above(print: () => void): void;
  /** Removes the line that is redrawn. Call it before anything else is printed. */
  stop(): void;
}

/** Time between two plain lines, in milliseconds, while there is no news. */
export const PLAIN_EVERY_MS = 10_000;

/** Time between two looks at the clock, in milliseconds. */
const TICK_MS = 1_000;

/**
 * Opens a line. A terminal has it from the first `show` or the first tick on. `learns`: hears of a cause before it is shown. `isDue`:
 * whether a plain line is, after a cause or a tick.
 */
export async function openLine<Cause>(
  io: LineIo,
  {
    color,
    learns,
    text,
    isDue,
  }: {
    /** Whether colours may be written to standard error. */
    color: boolean;
    learns?: (cause: Cause, nowMs: number) => void;
    text: (nowMs: number) => string;
    isDue: (cause: Cause | undefined, nowMs: number) => boolean;
  },
): Promise<LiveLine<Cause>> {
  const spinner = await spinnerFor(io, color);
  const show = (cause?: Cause): void => {
    const nowMs = io.timing.monotonicMs();
    if (cause !== undefined) learns?.(cause, nowMs);
    if (spinner) {
      spinner.text = fitted(text(nowMs), io.stderr.columns);
      if (!spinner.isSpinning) spinner.start();
    } else if (isDue(cause, nowMs)) io.stderr.write(`${text(nowMs)}\n`);
  };
  const observed = observer(show, (error) => io.stderr.write(`${GOES_ON}: ${fileReason(error)}\n`));
  const stopTicking = io.every(TICK_MS, () => observed());
  return {
    show: observed,
    above(print) {
      spinner?.clear();
      print();
    },
    stop() {
      stopTicking();
      spinner?.stop();
    },
  };
}

const GOES_ON = 'progress is not shown any more, and the command goes on';

/** Ora begins the text with its spinner and a space. Further lines begin below the text. */
const SPINNER_WIDTH = 2;

/** Broken between words. The last column stays free, because some terminals break the line there. */
export function fitted(text: string, columns = 80): string {
  return labelledLines('', text, SPINNER_WIDTH, columns - 1).trim();
}

async function spinnerFor(io: Pick<Io, 'stderr' | 'env'>, color: boolean): Promise<Ora | undefined> {
  // Ora needs the width. Without it ora would clear lines without end.
  const canRedraw = io.stderr.isTTY && io.stderr.columns !== undefined && io.env['TERM'] !== 'dumb';
  if (!canRedraw) return undefined;
  const { default: ora } = await import('ora');
  // Ora writes colours whatever the user asked for, unless `color` is false.
  return ora({ ...(color ? {} : { color: false }), discardStdin: false });
}
