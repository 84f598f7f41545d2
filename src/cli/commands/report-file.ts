import { closeSync, existsSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { fileReason } from '../../core/file-reason.ts';
import type { CommandContext } from '../command.ts';
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
  attempt(file, () => closeSync(openSync(path, 'a', 0o600)));
  if (isNew) rmSync(path);
}

/** Writes the document of a run to a file: private, because a platform may quote what it was sent. @throws AppError `file_not_writable` */
export function writeReport(file: string, document: PushDocument, { io }: CommandContext): void {
  attempt(file, () => writeFileSync(resolve(io.cwd, file), `${jsonText(document, 2)}\n`, { mode: 0o600 }));
}

function attempt(file: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    throw new AppError('file_not_writable', { file, reason: fileReason(error) }, error);
  }
}
