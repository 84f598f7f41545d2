import { isAbsolute, relative } from 'node:path';
import * as z from 'zod/mini';
import { plainJson } from '../../core/values/plain-json.ts';
import { EXITS } from '../exit-codes.ts';
import { countedRows, MOST_PROBLEMS, type ReplayStep } from './expectation.ts';

/** What any document of `--json` may hold of what a replay compares; the rest of it is left alone. */
const stepDocument = z.looseObject({
  rows: z.catch(z.optional(z.record(z.string(), z.int())), undefined),
  control_totals: z.catch(
    z.optional(
      z.array(
        z.looseObject({
          type: z.nullable(z.string()),
          count: z.int(),
          read: z.nullable(z.string()),
          accepted: z.nullable(z.string()),
        }),
      ),
    ),
    undefined,
  ),
  problems: z.catch(
    z.optional(
      z.array(
        z.looseObject({
          code: z.string(),
          file: z.nullish(z.string()),
          line: z.nullish(z.int()),
          column: z.nullish(z.int()),
        }),
      ),
    ),
    undefined,
  ),
  problems_total: z.catch(z.optional(z.int()), undefined),
});

/** How one command line ended. */
export interface EndedStep {
  readonly command: string;
  readonly exitCode: number;
  readonly stdout: string;
  /** The folder that it ran in. */
  readonly cwd: string;
}

/** What an expectation says of a step, as it was. */
export function outcomeOf({ command, exitCode, stdout, cwd }: EndedStep): ReplayStep {
  const { rows, control_totals, problems, problems_total } = z
    .catch(stepDocument, {})
    .parse(plainJson(stdout));
  return {
    command,
    exit: Object.values(EXITS).find(({ code }) => code === exitCode)!.name,
    ...(rows && { rows: countedRows(rows) }),
    ...(control_totals && {
      control_totals: control_totals.map(({ type, count, read, accepted }) => ({
        ...(type !== null && { type }),
        count,
        ...(read !== null && { read }),
        ...(accepted !== null && { accepted }),
      })),
    }),
    ...(problems && {
      problems: problems.slice(0, MOST_PROBLEMS).map(({ code, file, line, column }) => ({
        code,
        ...(typeof file === 'string' && { file: isAbsolute(file) ? relative(cwd, file) : file }),
        ...(typeof line === 'number' && { line }),
        ...(typeof column === 'number' && { column }),
      })),
      problems_total: problems_total ?? problems.length,
    }),
  };
}
