import type { CommandContext, CommandDeclaration } from '../command.ts';
import type { ExitName } from '../exit-codes.ts';
import type { RowCounts } from '../push/ports/report.ts';
import { rowsSentence } from '../render/push-summary.ts';
import { exitDocument, type JsonDocument } from '../render/json-output.ts';
import { columnsText } from '../render/table.ts';
import { escapeControl } from '../render/text.ts';
import type { ListedRun } from '../run-file/runs-folder.ts';
import { runsFolder } from './runs-folder.ts';

export const runs: CommandDeclaration<object> = {
  name: 'runs',
  group: 'Look',
  summary: 'List the runs on this machine',
  examples: ['dataimport runs', 'dataimport runs show 20261121-101502-transactions-4f2a'],
  settings: ['runDir'],
  declare: () => undefined,
  run: listRuns,
};

/** One run as `runs --json` lists it. */
interface RunItem {
  readonly run: string;
  readonly state: ListedRun['state'];
  /** Null for a run that cannot be read now. */
  readonly resource: string | null;
  readonly target: string | null;
  readonly sources: readonly string[];
  readonly rows: RowCounts | null;
  /** The run that its records were taken over from; null for one that was pushed. */
  readonly parent: string | null;
}

interface RunsDocument extends JsonDocument {
  readonly runs: readonly RunItem[];
}

const STATE_WORDS: Readonly<Record<ListedRun['state'], string>> = {
  open: 'unfinished',
  done: 'finished',
  never_staged: 'nothing sent',
  forgotten: 'forgotten',
  in_use: 'running',
  damaged: 'damaged',
};

async function listRuns(_options: object, context: CommandContext): Promise<ExitName> {
  const folder = await runsFolder(context);
  const found: RunItem[] = [];
  for (const listed of folder.list()) found.push(itemOf(listed));
  context.document({ version: 1, exit: exitDocument('OK'), runs: found } satisfies RunsDocument);
  if (!context.globals.json) context.io.stdout.write(listText(found, folder.path));
  return 'OK';
}

function itemOf(listed: ListedRun): RunItem {
  const { id, state } = listed;
  if (listed.header === undefined)
    return { run: id, state, resource: null, target: null, sources: [], rows: null, parent: null };
  const { resource, target, sources, parent } = listed.header;
  return {
    run: id,
    state,
    resource,
    target,
    sources: sources.map(({ name }) => name),
    rows: listed.run.report().rows,
    parent,
  };
}

function listText(items: readonly RunItem[], folder: string): string {
  if (items.length === 0) return `no runs in ${escapeControl(folder)}\n`;
  const rows = items.map(({ run, state, sources, rows: counts, parent }) =>
    [
      run,
      STATE_WORDS[state],
      sources.join(', '),
      counts ? rowsSentence({ rows: counts }) : '',
      parent === null ? '' : `retry of ${parent}`,
    ].map(escapeControl),
  );
  return columnsText(rows, ['left', 'left', 'left', 'left', 'left']);
}
