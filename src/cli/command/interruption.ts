import type { CommandPorts } from './command-ports.ts';
import type { ExitName } from '../output/exit-codes.ts';
import type { EndSignal } from '../outside/io.ts';

const FINISHING = 'Finishing the requests in flight. Press Ctrl-C again to stop now.';

/** What SIGINT, SIGTERM and SIGHUP ask for. The first one stops the run, the second one aborts it unless it is SIGHUP. */
export type Interruption = ReturnType<typeof listenForInterruption>;

/** Listens for the signals until the command ends. `sends`: whether the command may have requests in flight. Default: true. */
export function listenForInterruption(
  { io, output, onClose }: Pick<CommandPorts, 'io' | 'output' | 'onClose'>,
  { sends = true }: { sends?: boolean } = {},
) {
  const stopping = new AbortController();
  const abort = new AbortController();
  let last: EndSignal = 'SIGINT';
  onClose(
    io.onSignal((signal) => {
      last = signal;
      if (!stopping.signal.aborted) {
        // The terminal has shown ^C on the line.
        for (const text of ['', sends ? FINISHING : 'Stopping.']) output.emit({ kind: 'notice', text });
        stopping.abort();
      } else if (signal !== 'SIGHUP') {
        // A terminal that is closed sends SIGHUP, and its shell sends another one.
        abort.abort();
      }
    }),
  );
  return {
    /** Aborts when the run is to stop: requests in flight are finished, new ones are not sent. */
    stopping: stopping.signal,
    /** Aborts when requests in flight are to end, too. */
    abort: abort.signal,
    exit: (): ExitName => (last === 'SIGINT' ? 'INTERRUPTED' : 'TERMINATED'),
  };
}
