import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import type { OnClose } from '../command/command-ports.ts';
import { newFile, type NewFile } from '../command/new-file.ts';
import { notWritten } from '../command/typed-file.ts';
import { csvCell, csvLine } from '../output/formats/csv.ts';
import type { RunFile } from '../run-file/run-file.ts';
import type { OpenRow } from '../run-file/stage/rejected-rows.ts';
import { UNRESOLVED_COLUMNS, unresolvedCells } from '../runs/unresolved-csv.ts';
import { dateOf } from '../runs/unresolved-file.ts';
import { ACTORS, type Actor, type MigrationReport } from './page/migration-report.ts';
import { actorOf } from './report-steps.ts';

/** The file of each person in the folder of `report --rejects`. */
const NAMES: Readonly<Record<Actor, string>> = {
  supplier: 'supplier.csv',
  platform: 'operator.csv',
  importer: 'importer.csv',
};

/** The rows that did not arrive, in a file for each person who has to act. */
export interface RowsByPerson {
  add(run: RunFile): void;
  /** The files with rows. @throws AppError `file_not_writable` */
  finish(): MigrationReport['rows_by_person'];
}

/**
 * Makes the folder now. A file for a person is made with its first row, and must not be there: it may have been handed over.
 * @throws AppError `file_exists`, `file_not_writable`
 */
export function rowsByPerson(
  folder: string,
  { cwd, onClose, showValues }: { cwd: string; onClose: OnClose; showValues: boolean },
): RowsByPerson {
  try {
    mkdirSync(resolve(cwd, folder), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw notWritten(folder, error);
  }
  const there = ACTORS.map((who) => join(folder, NAMES[who])).find((name) => existsSync(resolve(cwd, name)));
  if (there !== undefined) throw new AppError('file_exists', { file: there });
  const files = new Map<Actor, { readonly name: string; readonly file: NewFile; rows: number }>();
  const fileOf = (who: Actor) => {
    const known = files.get(who);
    if (known) return known;
    const name = join(folder, NAMES[who]);
    const made = { name, file: newFile(name, { cwd, onClose }), rows: 0 };
    made.file.add(csvLine([...UNRESOLVED_COLUMNS, 'code', 'reason']));
    files.set(who, made);
    return made;
  };
  // Every shard has an invalid row whose account cannot be read.
  const ofAllShards = new Set<string>();
  return {
    add(run) {
      const { resource, sources, options } = run.header;
      for (const row of run.openRows({ showValues, command: null })) {
        const file = sources[row.source - 1]!.name;
        const place = `${resource} ${row.source} ${row.line}`;
        if (options.selection.shard && row.outcome === 'invalid') {
          if (ofAllShards.has(place)) continue;
          ofAllShards.add(place);
        }
        const target = fileOf(personOf(row));
        const cells = unresolvedCells({ ...row, date: dateOf(resource, row), file });
        target.file.add(csvLine([...cells, csvCell(row.problems[0]?.code ?? ''), csvCell(reasonOf(row))]));
        target.rows++;
      }
    },
    finish: () =>
      ACTORS.flatMap((who) => {
        const made = files.get(who);
        made?.file.finish();
        return made ? [{ who, file: made.name, rows: made.rows }] : [];
      }),
  };
}

/** The supplier corrects rows, the operator repairs what is stored, and the importer looks at what nothing proves. */
function personOf({ outcome, problems: [problem] }: OpenRow): Actor {
  if (outcome === 'verify' || outcome === 'unknown') return 'importer';
  if (outcome === 'changed' || outcome === 'moved') return 'platform';
  if (problem) return actorOf(problem);
  return outcome === 'invalid' ? 'supplier' : 'platform';
}

function reasonOf({ outcome, problems }: OpenRow): string {
  if (problems.length > 0) return [...new Set(problems.map(({ detail }) => detail))].join('; ');
  if (outcome === 'unknown') return 'it was sent, and no answer says whether it was applied';
  return outcome === 'rejected' ? 'the platform refused it' : 'nothing proves what the platform has';
}
