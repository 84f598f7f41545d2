import { EXITS, type ExitName } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { unicodeEscape } from './text.ts';

/** The exit as every JSON document names it. */
export interface ExitDocument {
  readonly code: number;
  readonly name: string;
}

/** The document of `--json`. `version` is the version of its shape. */
export interface JsonDocument {
  readonly version: 1;
  readonly exit: ExitDocument;
  readonly [field: string]: unknown;
}

export function exitDocument(name: ExitName): ExitDocument {
  return { code: EXITS[name].code, name: EXITS[name].name };
}

// JSON.stringify escapes C0 controls and lone surrogates but leaves these as they are. Inside a JSON text they occur
// in strings only, so a reader gets the same value from the escape.
const STILL_UNSAFE = /[\u007F-\u009F\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/g;

/** JSON text that is safe to show on a terminal. */
export function jsonText(document: unknown, indent?: number): string {
  return JSON.stringify(document, undefined, indent).replace(STILL_UNSAFE, unicodeEscape);
}

/**
 * Whether the user wants standard output to be one JSON document. Looks at the command line itself, because before it
 * is parsed, and after a usage error, no parsed flag exists.
 */
export function wantsJson(argv: readonly string[], { env }: Pick<Io, 'env'>): boolean {
  const end = argv.indexOf('--');
  const typed = (end < 0 ? argv : argv.slice(0, end)).includes('--json');
  return typed || ['1', 'true', 'yes', 'on'].includes((env['DATAIMPORT_JSON'] ?? '').toLowerCase());
}
