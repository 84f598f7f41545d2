import { appendFileSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { fileReason } from '../../../core/file-reason.ts';
import type { Io } from '../../outside/io.ts';
import type { Failure } from '../failure.ts';
import type { ProblemGroup, RunReport } from '../../push/ports/report.ts';
import { isGiven, subjectOf, withSubject, type ReportedProblem } from '../text/problem-line.ts';
import { columnOrField, linesText } from '../text/problem-list.ts';
import { rowsSentence } from '../run/run-summary.ts';
import { counted, escapeControl } from '../text/text.ts';

/** What a command shows on GitHub. */
export interface Annotated {
  readonly problems: readonly ReportedProblem[];
  /** Markdown for the summary of the step. */
  readonly summary: string;
}

/** GitHub shows ten annotations of a step and drops the rest. */
const ANNOTATIONS = 10;

/**
 * For a step of GitHub Actions: shows the first problems beside the lines of the file, and adds all of them to the
 * summary of the step. With --json the annotations go to standard error, which the runner reads, too.
 */
export function showOnGitHub({ problems, summary: text }: Annotated, io: Io, json: boolean): void {
  const workspace = io.env['GITHUB_WORKSPACE'] ?? io.cwd;
  const output = json ? io.stderr : io.stdout;
  for (const { file: named, ...problem } of problems.slice(0, ANNOTATIONS)) {
    const file = isGiven(named) ? (inWorkspace(workspace, resolve(io.cwd, named)) ?? named) : null;
    output.write(`${annotationOf({ ...problem, file })}\n`);
  }
  const summary = io.env['GITHUB_STEP_SUMMARY'];
  if (summary === undefined || summary === '') return;
  try {
    appendFileSync(summary, text);
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
  const properties = Object.entries({
    file: problem.file,
    line: problem.line,
    title: problem.code,
  })
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

/** GitHub refuses a summary of more than 1 MiB. The limit leaves room for the summaries of other commands in the step. */
const MAX_CHARACTERS = 400_000;

/** The problems of a run. */
export const annotatedReport = (report: RunReport): Annotated => ({
  problems: report.problems,
  summary: stepSummary(report),
});

/** The problems of a run as Markdown: the causes, then each problem. */
export function stepSummary(report: RunReport): string {
  const groups = [...report.errorGroups, ...report.warningGroups];
  if (groups.length === 0) return `### ${report.resource}: ${rowsSentence({ report })}, no problem\n\n`;
  const causes = [...CAUSES, ...groups.map(causeRow)].join('\n');
  const head = `### ${report.resource}: ${rowsSentence({ report })}\n\n${causes}\n\n`;
  const rows = report.problems.map(problemRow);
  const shown = asManyAsFit(rows, MAX_CHARACTERS - head.length);
  const hidden = report.problemsTotal - shown.length;
  const rest = hidden > 0 ? `\n… and ${counted(hidden, 'more problem')}\n` : '';
  return `${head}${[...PROBLEMS, ...shown].join('\n')}\n${rest}\n`;
}

const CAUSES = [row(['severity', 'code', 'header', 'count', 'first lines']), row(['-', '-', '-', '-:', '-'])];
const PROBLEMS = [row(['where', 'severity', 'code', 'what']), row(['-', '-', '-', '-'])];

function causeRow({ first, count, lines }: ProblemGroup): string {
  const cells = [first.severity, `\`${cell(first.code)}\``, cell(columnOrField(first)), String(count)];
  return row([...cells, linesText({ count, lines })]);
}

function problemRow({ file, line, column, header, attr, severity, code, detail }: ReportedProblem): string {
  const where = [file, line, isGiven(line) ? column : null].filter(isGiven).join(':');
  const what = withSubject(header ?? attr, detail);
  return row([cell(where), severity, `\`${cell(code)}\``, cell(what)]);
}

/** An error that ended a command before it had a result. */
export const failureSummary = ({ problems, next }: Pick<Failure, 'problems' | 'next'>): string =>
  `### the command failed\n\n${[...PROBLEMS, ...problems.map(problemRow)].join('\n')}\n\nnext: ${cell(next)}\n\n`;

/** A difference as a block of code, which nothing in it can end. */
export function diffBlock(difference: string): string {
  const longest = Math.max(0, ...(difference.match(/`+/g) ?? []).map((marks) => marks.length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  const lines = asManyAsFit(difference.trimEnd().split('\n').map(escapeControl), MAX_CHARACTERS);
  return `${fence}diff\n${lines.join('\n')}\n${fence}\n`;
}

function asManyAsFit(rows: readonly string[], characters: number): readonly string[] {
  let left = characters;
  const end = rows.findIndex((text) => (left -= text.length + 1) < 0);
  return end < 0 ? rows : rows.slice(0, end);
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** Text of a file or of the platform, with every character that Markdown would act on as an entity. */
function cell(text: string): string {
  return escapeControl(text).replaceAll(/[\\`*[\]<>|~&@]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}
