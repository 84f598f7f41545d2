import { dirname, isAbsolute, join } from 'node:path';
import { AppError } from '../../../core/app-error.ts';
import { utf8Text } from '../../../core/utf8-text.ts';
import type { OpenFile } from '../../csv/source-file.ts';
import type { UsedFile } from '../language/mapping.ts';
import type { MappingProblem } from './mapping-problem.ts';

/** The files of a mapping while it is loaded: how they are opened, which ones were, and what is wrong with them. */
export type MappingFiles = Readonly<{ open: OpenFile; files: UsedFile[]; problems: MappingProblem[] }>;

/** The path of a file that another file names. It is relative to the file that names it. */
export function beside(name: string, typed: string): string {
  return isAbsolute(typed) ? typed : join(dirname(name), typed);
}

/** Why a file cannot be read, without its name. */
export function reasonOf({ facts, message }: AppError): string {
  return typeof facts['reason'] === 'string' ? facts['reason'] : message;
}

/** People write mapping files. A larger file is another file. */
const MAX_BYTES = 1024 * 1024;

/** The text of a mapping file. */
export async function textOf(name: string, { open, files }: MappingFiles): Promise<string> {
  const source = await open(name);
  try {
    if (source.fingerprint.bytes > MAX_BYTES) {
      const reason = `it is larger than ${MAX_BYTES} bytes`;
      throw new AppError('file_not_readable', { file: name, reason });
    }
    files.push({ name, fingerprint: source.fingerprint });
    const chunks: Buffer[] = [];
    for await (const chunk of source.bytes()) chunks.push(chunk);
    return utf8Text(Buffer.concat(chunks), name);
  } finally {
    await source.close();
  }
}
