import { shownAs } from './formats/result-formats.ts';
import { exitDocument } from './json.ts';

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof SHELLS)[number];

/** The script for a shell, or the answer to a script that asks. */
export type CompletionResult = { readonly shell: Shell } & (
  | { readonly asked: false; readonly script: string }
  | {
      readonly asked: true;
      readonly candidates: readonly { readonly value: string; readonly says: string }[];
      readonly hasFiles: boolean;
    }
);

export const shownCompletion = shownAs<CompletionResult>({
  document: (result, exit) =>
    result.asked
      ? { version: 1, exit: exitDocument(exit), candidates: result.candidates, files: result.hasFiles }
      : { version: 1, exit: exitDocument(exit), shell: result.shell, script: result.script },
  text: (result) => (result.asked ? answerText(result) : result.script),
});

/** A line for each candidate, its text after a tab, and a last line where the shell adds names of files. */
function answerText({ candidates, hasFiles }: CompletionResult & { readonly asked: true }): string {
  const lines = candidates.map(({ value, says }) => `${value}\t${says}\n`);
  return lines.join('') + (hasFiles ? ':files\n' : '');
}
