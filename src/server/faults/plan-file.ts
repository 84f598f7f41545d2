import { readFileSync } from 'node:fs';
import { LineCounter, parseDocument } from 'yaml';
import { AppError } from '../../core/app-error.ts';
import { fileReason } from '../../core/file-reason.ts';
import { readRule } from './read-rule.ts';
import { readPlanFrame, type WrittenPlan } from './plan.ts';

/**
 * Reads a plan from a file of YAML or JSON; every rule of it is checked, so that a fault is told with its line.
 * @throws AppError `file_not_readable`, `fault_plan_invalid`
 */
export function readPlanFile(file: string): WrittenPlan {
  const lines = new LineCounter();
  const document = parseDocument(textOf(file), { lineCounter: lines, prettyErrors: false });
  const invalid = (reason: string, offset = 0): AppError => {
    const line = Math.max(lines.linePos(offset).line, 1);
    return new AppError('fault_plan_invalid', { file, reason: `${reason} (line ${line})` });
  };
  const [error] = document.errors;
  if (error) throw invalid(error.message, error.pos[0]);
  const { plan, reason } = readPlanFrame(document.toJS());
  if (reason !== undefined) throw invalid(reason);
  for (const [index, rule] of plan.rules.entries()) {
    const reading = readRule(rule);
    if (reading.reason === undefined) continue;
    const node = document.getIn(['rules', index], true) as { range?: readonly number[] } | undefined;
    throw invalid(`rule ${index + 1}: ${reading.reason}`, node?.range?.[0]);
  }
  return plan;
}

function textOf(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    const reason = error instanceof TypeError ? 'it is not UTF-8' : fileReason(error);
    throw new AppError('file_not_readable', { file, reason }, error);
  }
}
