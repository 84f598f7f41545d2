import { appendFileSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { fileReason } from '../../../core/file-reason.ts';
import type { Io } from '../../outside/io.ts';
import type { ProblemGroup } from '../../push/ports/report.ts';
import { isGiven, subjectOf, withSubject, type ReportedProblem } from '../text/problem-line.ts';
import { columnOrField, linesText } from '../text/problem-list.ts';
import { counted, escapeControl } from '../text/text.ts';

/** What a command shows on GitHub. */
export interface Annotated {
  /** Heads the summary of the step. */
  readonly title: string;
  readonly problems: readonly ReportedProblem[];
  /** The number of problems, listed or not. Default: those that are listed. */
  readonly total?: number;
  /** The problems by cause. */
  readonly groups?: readonly ProblemGroup[];
  readonly next?: string;
}

/** GitHub shows ten annotations of a step and drops the rest. */
const ANNOTATIONS = 10;

/**
 * For a step of GitHub Actions: shows the first problems beside the lines of the file, and adds causes and problems to the
 * summary of the step. With --json the annotations go to standard error, which the runner reads, too.
 */
export function showOnGitHub(annotated: Annotated, io: Io, json: boolean): void {
  const workspace = io.env['GITHUB_WORKSPACE'] ?? io.cwd;
  const output = json ? io.stderr : io.stdout;
  for (const { file: named, ...problem } of annotated.problems.slice(0, ANNOTATIONS)) {
    const file = isGiven(named) ? (inWorkspace(workspace, resolve(io.cwd, named)) ?? named) : null;
    output.write(`${annotationOf({ ...problem, file })}\n`);
  }
  const summary = io.env['GITHUB_STEP_SUMMARY'];
  if (summary === undefined || summary === '') return;
  try {
    appendFileSync(summary, stepSummary(annotated));
  } catch (error) {
    // The result of the command is valid without its summary.
    io.stderr.write(`the step summary cannot be written: ${fileReason(error)}\n`);
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

/** Problems in a summary, which GitHub refuses above 1 MiB. */
const SUMMARIZED = 200;

/** The causes of the problems, then the first problems, as Markdown. */
export function stepSummary({ title, problems, groups = [], total, next }: Annotated): string {
  const hidden = (total ?? problems.length) - SUMMARIZED;
  return [
    `### ${title}${problems.length === 0 ? ', no problem' : ''}\n`,
    ...(groups.length === 0 ? [] : [...CAUSES, ...groups.map(causeRow), '']),
    ...(problems.length === 0 ? [] : [...PROBLEMS, ...problems.slice(0, SUMMARIZED).map(problemRow), '']),
    ...(hidden > 0 ? [`… and ${counted(hidden, 'more problem')}\n`] : []),
    ...(next === undefined ? [] : [`next: ${cell(next)}\n`]),
    '',
  ].join('\n');
}

const CAUSES = [row(['severity', 'code', 'header', 'count', 'first lines']), row(['-', '-', '-', '-:', '-'])];
const PROBLEMS = [row(['where', 'severity', 'code', 'what']), row(['-', '-', '-', '-'])];

function causeRow({ first, count, lines }: ProblemGroup): string {
  const cells = [first.severity, `\`${cell(first.code)}\``, cell(columnOrField(first)), String(count)];
  return row([...cells, linesText({ count, lines })]);
}

function problemRow({ file, line, column, header, attr, severity, code, detail }: ReportedProblem): string {
  const where = [file, line, isGiven(line) ? column : null].filter(isGiven).join(':');
  const what = withSubject(header ?? attr, detail).slice(0, 500);
  return row([cell(where), severity, `\`${cell(code)}\``, cell(what)]);
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** Text of a file or of the platform, with every character that Markdown would act on as an entity. */
function cell(text: string): string {
  return escapeControl(text).replaceAll(/[\\`*[\]<>|~&@]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}
