import { AppError } from '../../core/app-error.ts';
import type { Path } from '../../core/problem.ts';
import type { TextPosition } from '../../core/yaml/yaml-text.ts';
import { readYamlFile } from '../options/yaml-file.ts';
import { problemsText, readPlan } from './fault-plan.ts';
import type { FaultPlan } from './fault-rule.ts';

/**
 * Reads a fault plan from a file of YAML or JSON. Problems are reported with their lines.
 * @throws AppError `file_not_readable`, `fault_plan_invalid`
 */
export function readPlanFile(file: string): FaultPlan {
  const invalid = (reason: string) => new AppError('fault_plan_invalid', { file, reason });
  const { yaml, problems: unreadable } = readYamlFile(file);
  if (!yaml) throw invalid(unreadable.map(({ reason, ...position }) => reason + lineOf(position)).join('; '));
  const { plan, problems } = readPlan(yaml.value);
  if (plan) return plan;
  // A problem of a rule is at its value, any other problem at its key.
  const positionOf = (path: Path) => yaml.positionOf(path, path.length > 1 ? 'value' : 'key');
  throw invalid(problemsText(problems, (path) => lineOf(positionOf(path))));
}

const lineOf = ({ line }: TextPosition): string => ` (line ${line})`;
