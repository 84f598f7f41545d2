import type { CommandPorts } from '../command/command-ports.ts';
import type { ReportView } from '../push/ports/report.ts';
import type { RunFile } from '../run-file/run-file.ts';
import type { NextCommands } from '../ending/next-commands.ts';

/** The flags and ports that decide what a command shows. */
interface Viewing {
  readonly flags: { readonly showValues?: boolean };
  readonly commands: NextCommands;
  readonly ports: Pick<CommandPorts, 'output'>;
}

/**
 * How the problems of a run are shown to its command. The person at a terminal has the files, so nothing is hidden there.
 */
export function viewOf(run: Pick<RunFile, 'header'>, viewing: Viewing): ReportView {
  const view = viewOfFiles(run, viewing);
  return { ...view, showValues: view.showValues || isReadOnly(viewing) };
}

const isReadOnly = ({ flags, ports }: Viewing): boolean =>
  flags.showValues === undefined && ports.output.isRead;

/** How the problems of a run are shown in files for others. */
export function viewOfFiles({ header }: Pick<RunFile, 'header'>, { flags, commands }: Viewing): ReportView {
  return { showValues: flags.showValues ?? false, command: `${commands.show(header)} --show-values` };
}
