import type { CommandPorts } from '../command/command-ports.ts';
import type { ReportView } from '../push/ports/report.ts';
import type { Reading } from '../journal/reading.ts';
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
export function viewOf({ header }: Pick<Reading, 'header'>, { flags, commands, ports }: Viewing): ReportView {
  return {
    showValues: flags.showValues ?? ports.output.isRead,
    command: `${commands.show(header)} --show-values`,
  };
}
