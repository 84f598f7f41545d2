import { appendFileSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { fileReason } from '../../core/file-reason.ts';
import type { CommandContext } from '../command.ts';
import type { RunReport } from '../push/ports/report.ts';
import { annotationOf } from '../render/problem-line.ts';
import { stepSummary } from '../render/step-summary.ts';

/** GitHub shows no more of one step. */
const ANNOTATIONS = 10;

/** Where a command runs as a step of GitHub Actions: the first problems beside the lines of the file, all in the summary. */
export function tellGitHub(report: RunReport, { io, globals }: CommandContext): void {
  if (io.env['GITHUB_ACTIONS'] !== 'true') return;
  const workspace = io.env['GITHUB_WORKSPACE'] ?? io.cwd;
  // The runner reads both streams, and standard output is one document with --json.
  const output = globals.json ? io.stderr : io.stdout;
  for (const problem of report.problems.slice(0, ANNOTATIONS)) {
    const file = inWorkspace(workspace, resolve(io.cwd, problem.file)) ?? problem.file;
    output.write(`${annotationOf({ ...problem, file })}\n`);
  }
  const summary = io.env['GITHUB_STEP_SUMMARY'];
  if (summary === undefined || summary === '') return;
  try {
    appendFileSync(summary, stepSummary(report));
  } catch (error) {
    // What the command has come to stands, whether the summary can be shown or not.
    io.stderr.write(`the step summary cannot be written: ${fileReason(error)}\n`);
  }
}

function inWorkspace(workspace: string, path: string): string | undefined {
  const inside = relative(workspace, path);
  return inside.startsWith('..') || isAbsolute(inside) ? undefined : inside.replaceAll('\\', '/');
}
