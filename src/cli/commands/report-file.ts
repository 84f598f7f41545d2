import { closeSync, existsSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { fileReason } from '../../core/file-reason.ts';
import type { CommandContext } from '../command.ts';
import type { Io } from '../io.ts';
import { jsonText } from '../render/json-output.ts';
import type { PushDocument } from '../render/push-document.ts';

/**
 * Makes sure, before anything is sent, that the document can be written; leaves no file behind.
 * @throws AppError `file_not_writable`; `usage` for `-`
 */
export function assertReportWritable(file: string, { io }: CommandContext): void {
  if (file === '-') {
    const reason = '--report-json takes a file; for standard output use --json';
    throw new AppError('usage', { reason, command: 'push' });
  }
  const path = resolve(io.cwd, file);
  const isNew = !existsSync(path);
  try {
    closeSync(openSync(path, 'a', 0o600));
  } catch (error) {
    throw new AppError('file_not_writable', { file, reason: fileReason(error) }, error);
  }
  if (isNew) rmSync(path);
}

/**
 * Writes the document of a run to a file: private, because a platform may quote what it was sent. By now the result of
 * the run matters more than its report, so that it cannot be written ends nothing: what says so is given back.
 */
export function writeReport(
  file: string,
  document: PushDocument,
  {
    again,
    io,
  }: { /** The command that gives the document again. */ readonly again: string; readonly io: Io },
): AppError | undefined {
  try {
    writeFileSync(resolve(io.cwd, file), `${jsonText(document, 2)}\n`, { mode: 0o600 });
    return undefined;
  } catch (error) {
    return new AppError('report_not_written', { path: file, reason: fileReason(error), again }, error);
  }
}
