import { shownAs } from '../output/formats/result-formats.ts';
import { exitDocument } from '../output/json.ts';
import { problemLine, type ReportedProblem } from '../output/text/problem-line.ts';
import { counted, escapeControl } from '../output/text/text.ts';

/** A mapping file that was checked, alone or with a CSV file. */
export interface MappingCheckResult {
  readonly mapping: string;
  /** The CSV file whose header the mapping has to fit; undefined when the mapping was checked alone. */
  readonly file: string | undefined;
  /** Null when the mapping cannot be used. */
  readonly resource: string | null;
  readonly problems: readonly CheckedProblem[];
}

/** A problem, and what to do about it. */
export type CheckedProblem = ReportedProblem & { readonly next: string | null };

export const shownMappingCheck = shownAs<MappingCheckResult>({
  document: ({ mapping, resource, problems }, exit) => ({
    version: 1,
    exit: exitDocument(exit),
    mapping,
    resource,
    problems,
  }),
  text: ({ mapping, file, problems }, { exit, paint }) => {
    const verdict =
      exit === 'OK'
        ? `${escapeControl(mapping)} ${file === undefined ? 'is a valid mapping' : `fits the header of ${escapeControl(file)}`}`
        : counted(problems.length, 'problem');
    const steps = new Set(problems.flatMap(({ next }) => (next === null ? [] : [next])));
    return [
      ...problems.map((problem) => `${problemLine(problem, paint('stdout'))}\n`),
      `${verdict}\n`,
      ...[...steps].map((step) => `next: ${escapeControl(step)}\n`),
    ].join('');
  },
});
