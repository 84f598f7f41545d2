import { isAbsolute, relative } from 'node:path';
import { isJsonObject, plainJson } from '../../core/values/plain-json.ts';
import { EXITS } from '../output/exit-codes.ts';
import type { ControlTotal, LocatedProblem } from '../push/ports/report.ts';
import type { StepIo } from './step-io.ts';
import { countedRows, MOST_PROBLEMS, type ReplayStep } from './expectation.ts';

/** What happened in a step, in the form of an expectation. Takes what a replay compares from any document of `--json`. */
export function outcomeOf(
  command: string,
  exitCode: number,
  { cwd, written }: Pick<StepIo, 'cwd' | 'written'>,
): ReplayStep {
  const document = plainJson(written.stdout) as Readonly<Record<string, unknown>> | null | undefined;
  const { rows, control_totals: totals, problems, problems_total: total } = document ?? {};
  return {
    command,
    exit: Object.values(EXITS).find(({ code }) => code === exitCode)!.name,
    // `check --line` lists the rows of a record under the same key.
    ...(isJsonObject(rows) && { rows: countedRows(rows as Readonly<Record<string, number>>) }),
    ...(Array.isArray(totals) && { control_totals: totals.map(totalOf) }),
    ...(Array.isArray(problems) && {
      problems: problems.slice(0, MOST_PROBLEMS).map((problem) => problemOf(problem, cwd)),
      problems_total: typeof total === 'number' ? total : problems.length,
    }),
  };
}

// What is undefined is not written.
const totalOf = ({ type, count, read, accepted }: ControlTotal) => ({
  type: type ?? undefined,
  count,
  read: read ?? undefined,
  accepted: accepted ?? undefined,
});

const problemOf = (
  { code, file, line, column }: Partial<LocatedProblem> & { code: string },
  cwd: string,
) => ({
  code,
  file: typeof file === 'string' && isAbsolute(file) ? relative(cwd, file) : (file ?? undefined),
  line: line ?? undefined,
  column: column ?? undefined,
});
