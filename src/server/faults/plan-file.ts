import { isMap, isScalar, LineCounter, parseDocument, type Document, type Node } from 'yaml';
import { AppError } from '../../core/app-error.ts';
import { readUtf8File } from '../utf8-file.ts';
import { mistakesText, readPlan, type PlanMistake } from './plan.ts';
import type { FaultPlan } from './rule.ts';

/**
 * Reads a plan from a file of YAML or JSON; what is wrong with it is told with its lines.
 * @throws AppError `file_not_readable`, `fault_plan_invalid`
 */
export function readPlanFile(file: string): FaultPlan {
  const lines = new LineCounter();
  const document = parseDocument(readUtf8File(file), { lineCounter: lines, prettyErrors: false });
  const lineText = (offset = 0) => ` (line ${Math.max(lines.linePos(offset).line, 1)})`;
  const invalid = (reason: string) => new AppError('fault_plan_invalid', { file, reason });
  const [error] = document.errors;
  // What comes after the first slip is mostly about the slip.
  if (error) throw invalid(error.message + lineText(error.pos[0]));
  const written = contentOf(document);
  if (written === undefined) throw invalid('its aliases stand for more than a plan can hold');
  const { plan, mistakes } = readPlan(written);
  if (plan) return plan;
  throw invalid(mistakesText(mistakes, (path) => lineText(nodeAt(document, path)?.range?.[0])));
}

/** Undefined for aliases of aliases, which a small file can make endless with. */
function contentOf(document: Document): unknown {
  try {
    return document.toJS() as unknown;
  } catch (error) {
    if (error instanceof ReferenceError) return undefined;
    throw error;
  }
}

/** A rule, or the key of something else. */
function nodeAt(document: Document, path: PlanMistake['path']): Node | null | undefined {
  const { contents } = document;
  if (path.length > 1) return document.getIn(path, true) as Node | undefined;
  const pair = isMap(contents)
    ? contents.items.find(({ key }) => isScalar(key) && key.value === path[0])
    : undefined;
  return pair ? (pair.key as Node) : contents;
}
