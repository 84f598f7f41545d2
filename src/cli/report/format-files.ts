import { AppError } from '../../core/app-error.ts';
import { textIn, type FileFormat, type MadeOf } from './file-formats.ts';
import { assertWritable, writeTypedFile } from '../command/typed-file.ts';

export const STANDARD_OUTPUT = '-';

/** File names by format. `-` is standard output. */
export type FormatFiles<Format extends FileFormat> = Map<Format, string>;

/** The formats of a report of runs. */
export type ReportFiles = FormatFiles<'html' | 'junit'>;

/**
 * The files that flags ask for. `isDocument`: whether the document of --json takes standard output. `other`: the file of a flag beside
 * these, which is written in portions.
 * @throws AppError `file_not_writable`, `file_not_ours`; `usage` when two formats would go to standard output
 */
export function formatFiles<Format extends FileFormat>(
  flags: Readonly<Partial<Record<Format, string | undefined>>>,
  {
    command,
    isDocument,
    other,
    cwd,
  }: { command: string; isDocument: boolean; other?: string | undefined; cwd: string },
): FormatFiles<Format> {
  const files: FormatFiles<Format> = new Map();
  for (const format in flags) if (flags[format] !== undefined) files.set(format, flags[format]);
  const onOutput = [...files.values(), other].filter((file) => file === STANDARD_OUTPUT).length;
  if (onOutput + (isDocument ? 1 : 0) > 1) {
    const reason = 'only one form can go to standard output';
    throw new AppError('usage', { reason, command });
  }
  for (const [kind, file] of files) if (file !== STANDARD_OUTPUT) assertWritable(file, cwd, { kind });
  return files;
}

/**
 * Writes a value in all its formats. The files are private, because they may name files and accounts.
 * Returns the names of the files, and the text for standard output.
 * @throws AppError `file_not_writable`
 */
export async function writeFormatFiles<Format extends FileFormat>(
  value: MadeOf<Format>,
  files: FormatFiles<Format>,
  cwd: string,
): Promise<{ written: readonly string[]; text: string | null }> {
  const written: string[] = [];
  let text: string | null = null;
  for (const [format, file] of files) {
    const content = await textIn(format, value);
    if (file === STANDARD_OUTPUT) text = content;
    else {
      writeTypedFile(file, content, cwd, format);
      written.push(file);
    }
  }
  return { written, text };
}
