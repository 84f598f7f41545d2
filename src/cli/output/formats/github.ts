import { isAbsolute, relative, resolve } from 'node:path';
import type { Io } from '../../outside/io.ts';
import { isGiven, subjectOf, withSubject, type ReportedProblem } from '../text/problem-line.ts';
import { escapeControl } from '../text/text.ts';

/** GitHub shows ten annotations of a step and drops the rest. */
const ANNOTATIONS = 10;

/** Shows the first problems beside the lines of their files. With --json on standard error, which the runner of GitHub reads, too. */
export function annotate(problems: readonly ReportedProblem[], io: Io, json: boolean): void {
  const workspace = io.env['GITHUB_WORKSPACE'] ?? io.cwd;
  const output = json ? io.stderr : io.stdout;
  for (const { file: named, ...problem } of problems.slice(0, ANNOTATIONS)) {
    const file = isGiven(named) ? (inWorkspace(workspace, resolve(io.cwd, named)) ?? named) : null;
    output.write(`${annotationOf({ ...problem, file })}\n`);
  }
}

function inWorkspace(workspace: string, path: string): string | undefined {
  const inside = relative(workspace, path);
  return inside.startsWith('..') || isAbsolute(inside) ? undefined : inside.replaceAll('\\', '/');
}

/**
 * A problem as a workflow command. The runner of GitHub reads `%` as an escape, in properties also `:` and `,`. Its columns are
 * characters, and ours are cells, so it gets none.
 */
export function annotationOf(problem: ReportedProblem): string {
  const properties = Object.entries({ file: problem.file, line: problem.line, title: problem.code })
    .filter(([, value]) => isGiven(value))
    .map(
      ([name, value]) => `${name}=${escapeData(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`,
    );
  const message = withSubject(subjectOf(problem), problem.detail);
  return `::${problem.severity} ${properties.join(',')}::${escapeData(message)}`;
}

/** Control and bidirectional characters become visible escapes first, as everywhere, and then no line end is left. */
function escapeData(text: string): string {
  return escapeControl(text).replaceAll('%', '%25');
}
