import type { Facts } from '../problem.ts';
import { entryOf, type ErrorCode } from './table.ts';

/** The sentence of a code with its facts filled in. */
export function sentenceOf(code: ErrorCode, facts: Facts = {}): string {
  return fill(entryOf(code).sentence, facts);
}

/** What to do about a code, with its facts filled in. */
export function nextStepOf(code: ErrorCode, facts: Facts = {}): string {
  return fill(entryOf(code).next, facts);
}

/** A fact that is not given shows as `<name>`, as in the general text of `dataimport explain`. */
function fill(template: string, facts: Facts): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => String(facts[name] ?? `<${name}>`));
}
