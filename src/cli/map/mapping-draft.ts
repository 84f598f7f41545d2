import { shownAs } from '../output/formats/result-formats.ts';
import { exitDocument } from '../output/json.ts';
import { counted, escapeControl, labelledLines } from '../output/text/text.ts';

export interface MappingDraftResult {
  /** The file that was written; `-` for none. */
  readonly mapping: string;
  /** The mapping itself, when it was written to no file. */
  readonly text: string | null;
  readonly decided: readonly string[];
  readonly questions: readonly string[];
  readonly unused: readonly string[];
  readonly next: readonly string[];
}

export const shownMappingDraft = shownAs<MappingDraftResult>({
  document: (draft, exit) => ({ version: 1, exit: exitDocument(exit), ...draft }),
  text: (draft) => draft.text ?? summaryText(draft),
});

const LABEL_WIDTH = 11;

/** Which file was written, and what is left to do. */
function summaryText({ mapping, decided, questions, unused, next }: MappingDraftResult): string {
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
