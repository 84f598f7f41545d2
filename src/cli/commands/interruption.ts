import type { CommandContext } from '../command.ts';
import type { ExitName } from '../exit-codes.ts';
import type { EndSignal } from '../io.ts';

/** What SIGINT and SIGTERM ask for: once to finish what is in flight, twice to end it at once. */
export interface Interruption {
  readonly interrupt: AbortSignal;
  readonly cut: AbortSignal;
  /** How a run that was interrupted ends. */
  exit(): ExitName;
}

/** Listens for the end signals until the command ends. */
export function listenForInterruption({ io, onClose }: CommandContext): Interruption {
  const interrupt = new AbortController();
  const cut = new AbortController();
  let last: EndSignal = 'SIGINT';
  onClose(
    io.onSignal((signal) => {
      last = signal;
      if (!interrupt.signal.aborted) {
        io.stderr.write('\nstopping after the requests in flight; once more to stop at once\n');
        interrupt.abort();
      } else cut.abort();
    }),
  );
  return {
    interrupt: interrupt.signal,
    cut: cut.signal,
    exit: () => (last === 'SIGTERM' ? 'TERMINATED' : 'INTERRUPTED'),
  };
}
