import type { ReportView } from '../push/ports/report.ts';
import type { RunFile } from '../run-file/run-file.ts';
import type { NextCommands } from '../ending/next-commands.ts';

/** How the problems of a run are shown to its command. */
export function viewOf(
  { header }: Pick<RunFile, 'header'>,
  { flags, commands }: { flags: { showValues?: boolean }; commands: NextCommands },
): ReportView {
  return { showValues: flags.showValues ?? false, command: `${commands.show(header)} --show-values` };
}
