import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileReason, temporaryFailure } from '../../core/file-reason.ts';

/** A new private folder for temporary files. @throws AppError `run_not_writable` */
export function temporaryFolder(prefix: string): string {
  try {
    return mkdtempSync(join(tmpdir(), prefix));
  } catch (error) {
    throw temporaryFailure(`${tmpdir()}: ${fileReason(error)}`, error);
  }
}
