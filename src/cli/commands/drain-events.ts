import type { Log } from '../log-file.ts';
import type { EventSink, PushEvent } from '../push/events.ts';

/** Events that tell how the platform is doing; what is sent is in the log request by request. */
const LOGGED: ReadonlySet<PushEvent['kind']> = new Set([
  'retry',
  'slowed',
  'eased',
  'paused',
  'resumed',
  'outage',
  'recovered',
  'stopping',
]);

/** Hands events on and writes down what explains the waits of a run; an account number is a value of a cell. */
export function logged(emit: EventSink, log: Log): EventSink {
  return (event) => {
    if (LOGGED.has(event.kind)) {
      const { kind, account: _, ...fields } = event as { readonly kind: string; readonly account?: string };
      log.write(kind, fields);
    }
    emit(event);
  };
}
