import type { JsonDocument } from './json-output.ts';
import { labelledLines } from './labelled-lines.ts';
import { counted, escapeControl } from './text.ts';

/** What `map init --json` prints. */
export interface MappingDraftDocument extends JsonDocument {
  /** The file that was written; `-` for none. */
  readonly mapping: string;
  /** The mapping itself, when it was written to no file. */
  readonly text: string | null;
  readonly decided: readonly string[];
  readonly questions: readonly string[];
  readonly unused: readonly string[];
  readonly next: readonly string[];
}

const LABEL_WIDTH = 11;

/** What was written, and what is left to do. */
export function mappingDraftText({
  mapping,
  decided,
  questions,
  unused,
  next,
}: MappingDraftDocument): string {
  const facts: readonly (readonly [string, string])[] = [
    ['written', mapping],
    [
      'decided',
      decided.length === 0 ? 'no field' : `${counted(decided.length, 'field')}: ${decided.join(', ')}`,
    ],
    [
      'open',
      questions.length === 0
        ? 'no question'
        : `${counted(questions.length, 'question')}, marked QUESTION in the file:`,
    ],
    ...questions.map((question, at) => ['', `${at + 1}. ${question}`] as const),
    ...(unused.length === 0
      ? []
      : [['unused', `${counted(unused.length, 'column')}: ${unused.join(', ')}`] as const]),
    ...next.map((command, at) => [at === 0 ? 'next:' : '', command] as const),
  ];
  return facts.map(([label, text]) => labelledLines(label, escapeControl(text), LABEL_WIDTH)).join('');
}
