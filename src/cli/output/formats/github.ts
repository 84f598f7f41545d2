import { appendFileSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { fileReason } from '../../../core/file-reason.ts';
import type { Io } from '../../outside/io.ts';
import type { ProblemGroup, RunReport, LocatedProblem } from '../../push/ports/report.ts';
import { isGiven, subjectOf, withSubject, type ReportedProblem } from '../text/problem-line.ts';
import { columnOrField, linesText } from '../text/problem-list.ts';
import { rowsSentence } from '../run/run-summary.ts';
import { counted, escapeControl } from '../text/text.ts';

/** GitHub shows ten annotations of a step and drops the rest. */
const ANNOTATIONS = 10;

/**
 * In a step of GitHub Actions: shows the first problems beside the lines of the file, and adds all of them to the
 * summary of the step. With --json the annotations go to standard error, which the runner reads, too.
 */
export function showOnGitHub(report: RunReport, io: Io, json: boolean): void {
  if (io.env['GITHUB_ACTIONS'] !== 'true') return;
  const workspace = io.env['GITHUB_WORKSPACE'] ?? io.cwd;
  const output = json ? io.stderr : io.stdout;
  for (const problem of report.problems.slice(0, ANNOTATIONS)) {
    const file = inWorkspace(workspace, resolve(io.cwd, problem.file)) ?? problem.file;
    output.write(`${annotationOf({ ...problem, file })}\n`);
  }
  const summary = io.env['GITHUB_STEP_SUMMARY'];
  if (summary === undefined || summary === '') return;
  try {
    appendFileSync(summary, stepSummary(report));
  } catch (error) {
    // The result of the command is valid without its summary.
    io.stderr.write(`the step summary cannot be written: ${fileReason(error)}\n`);
  }
}

function inWorkspace(workspace: string, path: string): string | undefined {
  const inside = relative(workspace, path);
  return inside.startsWith('..') || isAbsolute(inside) ? undefined : inside.replaceAll('\\', '/');
}

/** A problem as a workflow command. The runner of GitHub reads `%` as an escape, in properties also `:` and `,`. */
export function annotationOf(problem: ReportedProblem): string {
  const properties = Object.entries({
    file: problem.file,
    line: problem.line,
    col: problem.column,
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

/** The problems of a run as Markdown: the causes, then each problem. */
export function stepSummary(report: RunReport): string {
  const groups = [...report.errorGroups, ...report.warningGroups];
  if (groups.length === 0) return `### ${report.resource}: ${rowsSentence(report)}, no problem\n\n`;
  const causes = [...CAUSES, ...groups.map(causeRow)].join('\n');
  const head = `### ${report.resource}: ${rowsSentence(report)}\n\n${causes}\n\n`;
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

function problemRow(problem: LocatedProblem): string {
  const { file, line, column, severity, code, detail } = problem;
  const where = [file, line, line === null ? null : column].filter((part) => part !== null).join(':');
  return row([cell(where), severity, `\`${cell(code)}\``, cell(withSubject(columnOrField(problem), detail))]);
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
