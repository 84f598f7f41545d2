import { AppError } from '../../core/app-error.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { flagValue, MOST_ROWS, runArgument, showValuesOption } from '../command/flags.ts';
import { shownTrace } from './trace-result.ts';
import type { RunFile } from '../run-file/run-file.ts';
import { RunsFolder } from '../run-file/runs-folder.ts';
import { nextCommands } from '../ending/next-commands.ts';
import { viewOf } from '../sending/report-view.ts';
import { columnsOf, sourceCells } from './source-cells.ts';
import { count } from '../settings/parsers.ts';
import { openedRun } from '../ending/opened-run.ts';
import { assertProven, fastNotes, fastOption, type FastFlag } from './proven-run.ts';
import { othersOf } from './compared-runs.ts';

export interface RunsTraceOptions extends FastFlag {
  readonly run: string;
  readonly line?: number;
  readonly account?: string;
  readonly id?: string;
  /** Whether values of cells are shown. */
  readonly showValues?: boolean;
}

export const command: CommandDeclaration<RunsTraceOptions> = {
  description:
    'Shows every step of a record: its row, the columns that fed it, the record, its request, each attempt with time and answer, and the outcome. Values of cells are shown with --show-values only, which reads the file of the run again.',
  examples: [
    'dataimport runs trace 20261121-101502-transactions-4f2a --line 1042',
    'dataimport runs trace 20261121-101502-transactions-4f2a --id BIL-2026-0004716 --show-values',
  ],
  settings: ['runDir', 'supplier'],
  declare: (command) =>
    void command
      .addArgument(runArgument())
      .option('--line <n>', 'a line of the record in its file', flagValue(count({ max: MOST_ROWS })))
      .option('--account <number>', 'all records of this external account number, at most 100')
      .option('--id <id>', 'the record with this transaction id, statement id or reference')
      .addOption(showValuesOption())
      .addOption(fastOption()),
  run,
};

async function run(options: RunsTraceOptions, context: CommandContext): Promise<CommandEnd> {
  const { line, account, id, showValues = false } = options;
  if (line === undefined && account === undefined && id === undefined)
    throw new AppError('usage', { reason: 'give --line, --account or --id', command: 'runs trace' });
  const { io, onClose } = context;
  const settings = await context.settings();
  const folder = new RunsFolder(settings.need('runDir'));
  const commands = nextCommands(settings, context.globals, io.cwd);
  const open = (id: string): RunFile => {
    const opened = openedRun(folder, id, context);
    assertProven(opened, folder, options);
    return opened;
  };
  let run = open(options.run);
  const view = viewOf(run, { flags: options, commands, ports: context });
  let { total, records } = run.traced({ line, account, id }, view);
  // A run does not keep the rows whose records another run has sent. They have other lines there.
  const others = total === 0 && line === undefined ? othersOf([run], folder.ids(), open).values() : [];
  for (const other of others) {
    if (total > 0) break;
    run = other;
    ({ total, records } = run.traced({ account, id }, view));
  }
  if (total === 0) throw new AppError('record_not_traced', { run: options.run });
  const sources = run.mappedSources;
  const [first] = records;
  // The file is read from its beginning, so only for one record.
  const isRead = showValues && total === 1;
  const cells = isRead ? await sourceCells(run, first!, { settings, cwd: io.cwd, onClose }) : [];
  const rows = records.map((record) => {
    const { name, columns } = sources[record.source - 1]!;
    return { record, file: name, columns: columnsOf(columns), cells };
  });
  return {
    exit: 'OK',
    result: shownTrace({ run: run.header.id, total, rows, showValues, notes: fastNotes(options) }),
  };
}
