import { EXITS, type ExitName } from '../exit-codes.ts';
import type { ReportedProblem } from './problem-line.ts';
import { unicodeEscape } from './text.ts';

/** The exit as every JSON document names it. */
export interface ExitDocument {
  readonly code: number;
  readonly name: string;
}

/** What `--json` prints: the version is that of the document's shape. */
export interface JsonDocument {
  readonly version: 1;
  readonly exit: ExitDocument;
}

/** What `--json` prints when a command ended before it had a document of its own. */
export interface FailureDocument extends JsonDocument {
  readonly problems: readonly ReportedProblem[];
  /** What to do next, in words that can be acted on. */
  readonly next: string;
}

export function exitDocument(name: ExitName): ExitDocument {
  return { code: EXITS[name].code, name: EXITS[name].name };
}

// JSON.stringify escapes C0 controls and lone surrogates but leaves these as they are. Inside a JSON text they can
// only stand in a string, so the escape changes nothing for a reader.
const STILL_UNSAFE = /[\u007F-\u009F\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/g;

/** JSON text that is safe to show on a terminal. */
export function jsonText(document: unknown, indent?: number): string {
  return JSON.stringify(document, undefined, indent).replace(STILL_UNSAFE, unicodeEscape);
}

/** Writes THE document of a command with --json: standard output gets exactly one. */
export function writeDocument(output: { write(text: string): void }, document: JsonDocument): void {
  output.write(`${jsonText(document, 2)}\n`);
}
