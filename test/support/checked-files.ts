import type { Behind } from '../../src/cli/push/ports/look.ts';
import { fakeIo, runCli } from './cli-io.ts';
import { folderWith, type Files } from './mapping-files.ts';

/** A run of `check --json` over files of a folder of its own. */
export interface CheckedFiles {
  readonly exitCode: number;
  readonly folder: string;
  /** The problems as `file:line:column severity code`, with the file only where it is not the checked one. */
  readonly problems: readonly string[];
  /** The same, followed by the sentence. */
  readonly details: readonly string[];
  /** What stays behind, without the fields that no record has: `VAT amounts 3 4.10`; acknowledged parts end with `*`. */
  readonly behind: readonly string[];
  readonly rows: Readonly<Record<string, number>>;
  readonly document: Readonly<Record<string, unknown>>;
}

interface Problem {
  readonly file: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly severity: string;
  readonly code: string;
  readonly detail: string;
}

/** Checks `x.csv`, or the file that is given, with the mapping beside it. */
export async function checkFiles(
  files: Files,
  argv: readonly string[] = [],
  { resource = 'transactions', file = 'x.csv' }: { readonly resource?: string; readonly file?: string } = {},
): Promise<CheckedFiles> {
  const folder = folderWith(files);
  const line = ['check', resource, file, '--supplier', 'ACME', '--json', ...argv];
  const { exitCode, json } = await runCli(line, fakeIo({ cwd: folder, nowMs: Date.UTC(2026, 10, 21) }));
  const document = json();
  const problems = (document['problems'] ?? []) as readonly Problem[];
  const shown = (problem: Problem): string => {
    const where = [problem.file === file ? '' : problem.file, problem.line ?? '', problem.column ?? ''];
    return `${where.join(':').replace(/^:/, '')} ${problem.severity} ${problem.code}`;
  };
  return {
    exitCode,
    folder,
    problems: problems.map(shown),
    details: problems.map((problem) => `${shown(problem)}: ${problem.detail}`),
    behind: ((document['stays_behind'] ?? []) as readonly Behind[])
      .filter(({ what }) => what !== 'field')
      .map(({ what, name, holds, count, sum, acknowledged }) =>
        [name || what, holds ?? [], count ?? [], sum ?? [], acknowledged ? '*' : []].flat().join(' '),
      ),
    rows: document['rows'] as Readonly<Record<string, number>>,
    document,
  };
}
