import type { CommandContext, CommandDeclaration } from '../command.ts';
import type { ExitName } from '../exit-codes.ts';
import { escapeControl } from '../render/text.ts';
import { reportWithEnd } from './end-problem.ts';
import { endingNow } from './run-ending.ts';
import { linesAfter, resumeLine, runsFolder } from './runs-folder.ts';
import { showRun } from './show-run.ts';
import { reportWithUnknown } from './unknown-problems.ts';

export interface RunsShowOptions {
  readonly run: string;
}

export const runsShow: CommandDeclaration<RunsShowOptions> = {
  name: 'runs show',
  group: 'Look',
  summary: 'Show what one run did',
  description: 'Shows what one run did, and ends as the command did that sent it last.',
  examples: ['dataimport runs show 20261121-101502-transactions-4f2a'],
  settings: ['runDir'],
  declare: (command) => void command.argument('<run>', 'id of the run'),
  run: show,
};

async function show(options: RunsShowOptions, context: CommandContext): Promise<ExitName> {
  const folder = await runsFolder(context);
  const run = folder.open(options.run);
  context.onClose(() => run.close());
  const { header, condition } = run;
  if (!context.globals.json) {
    const lines = [
      `run       ${header.id}`,
      `begun     ${header.createdAt}, by version ${header.toolVersion}`,
      `target    ${header.target}`,
      ...header.sources.map(
        ({ name, bytes, sha256 }) => `source    ${name}, ${bytes} bytes, SHA-256 ${sha256}`,
      ),
      ...(header.parent === null ? [] : [`parent    ${header.parent}`]),
      `run file  ${folder.fileOf(header.id)}`,
    ];
    context.io.stdout.write(lines.map((line) => `${escapeControl(line)}\n`).join(''));
  }
  const resume = await resumeLine(header, context);
  const end = condition === 'done' ? null : run.end;
  const source = header.sources[0]!.name;
  const told = reportWithEnd(run.report(), end?.reason ?? null, { source, resume });
  const died = condition === 'open' && end === null;
  const report = died ? reportWithUnknown(told, run.unknownRows()) : told;
  const after = { ...(await linesAfter(run, context)), show: null };
  const ending = endingNow(condition, report, { end, resume, after });
  showRun(report, { ...ending, durationMs: run.sendingMs() }, context);
  return ending.exit;
}
