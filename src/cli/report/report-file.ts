import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileWord } from '../../core/command-line.ts';
import { AppError } from '../../core/app-error.ts';
import { fileReason } from '../../core/file-reason.ts';
import { jsonText } from '../output/json.ts';
import { runDocumentOf, type RunResult } from '../output/run/run-document.ts';
import { assertReplaceable, assertWritable } from '../command/typed-file.ts';
import type { NextCommands } from '../ending/next-commands.ts';

/**
 * Makes sure, before anything is sent, that the file of --report-json can be written.
 * @throws AppError `file_not_writable`, `file_not_ours`
 */
export function assertReportWritable(file: string, cwd: string): void {
  assertWritable(file, cwd, { kind: 'json' });
}

/**
 * Writes the document of a run to a file. The file is private, because a platform may quote the records that it was sent.
 * Returns the error when the file cannot be written: the result of the run matters more than its report.
 */
export function writeReport(
  file: string,
  result: RunResult,
  { cwd, commands }: { cwd: string; commands: Pick<NextCommands, 'show'> | undefined },
): AppError | undefined {
  try {
    // Another file of the command, such as its rejects, may have this name by now.
    assertReplaceable(file, cwd, 'json');
    writeFileSync(resolve(cwd, file), `${jsonText(runDocumentOf(result), 2)}\n`, { mode: 0o600 });
    return undefined;
  } catch (error) {
    const { run } = result;
    const again =
      run === null || !commands
        ? 'the same command again'
        : `\`${commands.show({ id: run })} --json > ${fileWord(file)}\``;
    return new AppError(
      'report_not_written',
      { path: file, reason: error instanceof AppError ? error.message : fileReason(error), again },
      error,
    );
  }
}
