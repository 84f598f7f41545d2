import { AppError } from '../../core/app-error.ts';
import type { Path } from '../../core/problem.ts';
import { readYamlFile, type FilePlace } from '../options/yaml-file.ts';
import { mistakesText, readPlan } from './plan.ts';
import type { FaultPlan } from './rule.ts';

/**
 * Reads a plan from a file of YAML or JSON; what is wrong with it is told with its lines.
 * @throws AppError `file_not_readable`, `fault_plan_invalid`
 */
export function readPlanFile(file: string): FaultPlan {
  const invalid = (reason: string) => new AppError('fault_plan_invalid', { file, reason });
  const { yaml, mistakes: unreadable } = readYamlFile(file);
  if (!yaml) throw invalid(unreadable.map(({ place, reason }) => reason + behind(place)).join('; '));
  const { plan, mistakes } = readPlan(yaml.value);
  if (plan) return plan;
  // A rule stands somewhere; of anything else it is the key that is wrong.
  const placeOf = (path: Path) => yaml.placeOf(path, path.length > 1 ? 'value' : 'key');
  throw invalid(mistakesText(mistakes, (path) => behind(placeOf(path))));
}

function behind({ line }: FilePlace): string {
  return ` (line ${line})`;
}
