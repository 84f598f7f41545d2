import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import type { CommandContext } from '../command.ts';
import { jsonText } from '../render/json-output.ts';
import type { PushDocument } from '../render/push-document.ts';

/** Writes the document of a run to a file: private, because a platform may quote what it was sent. @throws AppError `file_not_writable` */
export function writeReport(file: string, document: PushDocument, { io }: CommandContext): void {
  try {
    writeFileSync(resolve(io.cwd, file), `${jsonText(document, 2)}\n`, { mode: 0o600 });
  } catch (error) {
    throw new AppError('file_not_writable', { file, reason: (error as Error).message }, error);
  }
}
