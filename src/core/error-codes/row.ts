import type { ErrorCodeEntry, ErrorExit } from './entry.ts';

/** The row of a code that no platform answers with. */
export function row(
  exit: ErrorExit,
  sentence: string,
  next: string,
  retry: ErrorCodeEntry['retry'] = 'never',
): ErrorCodeEntry {
  return { authority: 'chosen', status: null, retry, exit, sentence, next };
}
