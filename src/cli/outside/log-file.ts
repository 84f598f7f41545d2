import { closeSync, openSync, writeFileSync } from 'node:fs';
import { AppError } from '../../core/app-error.ts';
import { fileReason } from '../../core/file-reason.ts';
import { observer } from '../../core/observer.ts';

/** The fields of a log line. They must not contain a key, token, body or cell value. */
export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

/** Records events for a later look at a run. */
export type Log = { write(event: string, fields?: LogFields): void };

/** The log of a run without --log-file. */
export const NO_LOG: Log = { write: () => undefined };

/** An open log file. */
export type LogFile = Log & { close(): void };

/**
 * Opens an NDJSON file for appending, readable by its owner only. `time` of a line is in milliseconds since 1970.
 * Each line is written at once, so a process that is killed leaves every event up to that moment. `onFailure`: hears once that the
 * file takes no more lines, because a full disk or a closed pipe does not end the command.
 * @throws AppError `file_not_writable` when it cannot be opened
 */
export function openLogFile(path: string, nowMs: () => number, onFailure: (reason: string) => void): LogFile {
  let file: number;
  try {
    file = openSync(path, 'a', 0o600);
  } catch (error) {
    throw new AppError('file_not_writable', { file: path, reason: fileReason(error) }, error);
  }
  return {
    write: observer(
      // writeSync may write only the beginning of a line, as when the disk is nearly full.
      (event, fields = {}) => writeFileSync(file, `${JSON.stringify({ time: nowMs(), event, ...fields })}\n`),
      (error) => onFailure(fileReason(error)),
    ),
    close: () => closeSync(file),
  };
}
