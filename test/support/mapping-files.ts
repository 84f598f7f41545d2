import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { readSource } from '../../src/cli/csv/read-source.ts';
import { eachItem } from '../../src/cli/csv/source-row.ts';
import { openSourceFile } from '../../src/cli/csv/source-file.ts';
import type { Candidate, CellProblem, MappingPlan, RecordRows } from '../../src/cli/mapping/mapping-plan.ts';
import { cellOf, type RecordCell } from '../../src/cli/mapping/column-map.ts';
import { loadJoins } from '../../src/cli/mapping/compile/joined-files.ts';
import { loadMapping } from '../../src/cli/mapping/file/load-mapping.ts';
import { planByMapping } from '../../src/cli/mapping/compile/plan-by-mapping.ts';
import { openJoinStores } from '../../src/cli/scratch/join-store.ts';
import type { Descriptors } from '../../src/core/contract/resources.ts';
import { attrOfPath, type Problem } from '../../src/core/problem.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Files by their names, each with its text or its bytes. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** Writes files into a new folder. */
export function folderWith(files: Files): string {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

/** The problems of a mapping file, as `line:column code attr`. */
export async function problemsOf(
  files: Files,
  name = 'm.yaml',
  descriptors?: Descriptors,
): Promise<readonly string[]> {
  const folder = folderWith(files);
  const { problems, mapping } = await loadMapping(name, (each) => openSourceFile(each, folder), descriptors);
  if ((mapping === undefined) !== problems.length > 0)
    throw new Error('a mapping with problems, or none without');
  return problems.map(({ file, line, column, problem: { code, path } }) =>
    `${file === name ? '' : `${file}:`}${line}:${column} ${code} ${attrOfPath(path)}`.trim(),
  );
}

/** The records of a file, and everything that mapping found. */
export interface Mapped {
  readonly plan: MappingPlan;
  /** `severity code header`. */
  readonly header: readonly string[];
  readonly candidates: readonly Candidate[];
  /** JSON texts of the records. */
  readonly records: readonly string[];
  /** `code attr file:line:column`, for every problem of a record; the line of the record is left out. */
  readonly problems: readonly string[];
  readonly leftOver: readonly string[];
  readonly trailer: readonly string[];
  readonly filtered: number;
}

/** A mapping of charges: the account in column K, the id in B, the amount in A. More fields may follow. */
export const CHARGES = `version: 1
resource: transactions
fields:
  external_account_number: K
  transaction_id: B
  transaction_date: { constant: '2026-01-05' }
  amount: A
  type: { constant: CHARGE }
`;

/** Maps the rows of `x.csv` by `m.yaml` as staging does. */
export async function mapped(files: Files, supplier?: string, descriptors?: Descriptors): Promise<Mapped> {
  const folder = folderWith(files);
  const open = (name: string) => openSourceFile(name, folder);
  const { mapping, problems } = await loadMapping('m.yaml', open, descriptors);
  if (!mapping) throw new Error(`the mapping has problems: ${JSON.stringify(problems)}`);
  const stores = openJoinStores();
  onTestFinished(() => stores.close());
  const joins = await loadJoins(mapping, 1, { open, makeStore: async () => stores.make() });
  const source = await open('x.csv');
  const groups: RecordRows[] = [];
  let plan: MappingPlan | undefined;
  let header: readonly string[] = [];
  let trailer: readonly CellProblem[] = [];
  let filtered = 0;
  for await (const item of eachItem(readSource(source, mapping.format))) {
    if (item.kind === 'header') {
      const { names, elements } = item;
      const result = planByMapping(mapping, names, { supplier, joins: joins.tables, elements });
      plan = result.plan;
      header = result.problems.map(({ problem, cell }) =>
        `${problem.severity} ${problem.code} ${attrOfPath(problem.path)}${cell?.header ?? problem.facts['header'] ?? ''}`.trim(),
      );
    } else if (item.kind === 'row') {
      const isLeftOut = plan!.filteredBy(item.row) !== undefined;
      plan!.trailer?.see(item.row, isLeftOut);
      const last = groups.at(-1);
      if (last && plan!.continues(item.row, last[0])) groups[groups.length - 1] = [...last, item.row];
      else if (isLeftOut) {
        plan!.leaveOut([item.row]);
        filtered++;
      } else groups.push([item.row]);
    } else if (item.kind === 'trailer') trailer = plan!.trailer!.verdict(item.mark!, item.row);
    else if (item.kind === 'unreadable') throw new Error(`unreadable: ${item.problem.code}`);
  }
  const candidates = groups.map((rows) => plan!.candidateOf(rows));
  const shown = (problem: Problem, cell: RecordCell): string =>
    `${problem.code} ${attrOfPath(problem.path)} ${cell.file ?? ''}:${cell.line ?? ''}:${cell.column ?? ''}`;
  const leftOver = [...plan!.leftOver()].map(({ problem, cell }) => shown(problem, cell!));
  await source.close();
  return {
    plan: plan!,
    header,
    candidates,
    records: candidates.map(({ record }) => JSON.stringify(record)),
    problems: candidates.flatMap(({ problems, parts }) =>
      problems.map(({ problem, cell }) => shown(problem, cell ?? cellOf(plan!.columns, problem.path, parts))),
    ),
    leftOver,
    trailer: trailer.map(({ problem, cell }) => shown(problem, cell!)),
    filtered,
  };
}
