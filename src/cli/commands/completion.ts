import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Argument } from 'commander';
import { ERROR_CODES } from '../../core/error-codes/table.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { completionsOf, type CompletionCandidate, type LookedUp } from '../command/completions.ts';
import { JournalsFolder } from '../journal/journals-folder.ts';
import { commandsIn } from '../journal/commands-log.ts';
import { shownAs } from '../output/formats/result-formats.ts';
import { exitDocument } from '../output/json.ts';

export interface CompletionOptions {
  readonly shell: Shell;
  /** The words after `dataimport` up to the cursor, from a script that asks. The last one is empty after a space. */
  readonly word: readonly string[];
}

export const command: CommandDeclaration<CompletionOptions> = {
  description:
    'Prints a script with which a shell completes commands, flags, ids of runs, codes, suppliers and files. The script asks this program, so it stays the same from version to version.',
  examples: [
    'eval "$(dataimport completion bash)"',
    'eval "$(dataimport completion zsh)"',
    'dataimport completion fish > ~/.config/fish/completions/dataimport.fish',
  ],
  settings: ['runDir'],
  declare: (command) =>
    void command
      .addArgument(new Argument('<shell>', `shell: ${SHELLS.join(', ')}`).choices(SHELLS))
      .argument('[word...]', 'words of a command line after --, as the script of the shell sends them'),
  run,
};

async function run({ shell, word }: CompletionOptions, context: CommandContext): Promise<CommandEnd> {
  if (word.length === 0) {
    const file = join(context.io.packageFolder, 'completions', `dataimport.${shell}`);
    return {
      exit: 'OK',
      result: shownCompletion({ shell, asked: false, script: readFileSync(file, 'utf8') }),
    };
  }
  const words = wordsOf(shell, word);
  const last = words.at(-1)!;
  const program = await context.surface(words.slice(0, -1));
  const { candidates, lookedUp, hasFiles, prefix } = completionsOf(program, words);
  const all = lookedUp === null ? candidates : [...candidates, ...(await lookUp(lookedUp, context))];
  const fitting = all
    .map(({ value, says }) => ({ value: prefix + value, says }))
    .filter(({ value }) => value.startsWith(last));
  return { exit: 'OK', result: shownCompletion({ shell, asked: true, candidates: fitting, hasFiles }) };
}

/** The words as they were typed. Two shells cannot send them so. */
function wordsOf(shell: Shell, words: readonly string[]): readonly string[] {
  // A dot before the last word keeps PowerShell from dropping an empty one.
  if (shell === 'powershell') return words.with(-1, words.at(-1)!.slice(1));
  // bash makes three words of `--run=2026`. The last of them is completed.
  if (shell === 'bash')
    return [...words.slice(0, -1).filter((word) => word !== '='), words.at(-1)!.replace(/^=$/, '')];
  return words;
}

async function lookUp(what: LookedUp, context: CommandContext): Promise<readonly CompletionCandidate[]> {
  if (what === 'codes') return Object.keys(ERROR_CODES).map((value) => ({ value, says: '' }));
  const settings = await context.settings();
  const folder = new JournalsFolder(settings.need('runDir'));
  if (what === 'runs')
    return commandsIn(folder.path, context.io).map(({ id: value }) => ({ value, says: '' }));
  const suppliers = new Set(folder.files().map((file) => basename(dirname(file))));
  const configured = settings.get('supplier');
  if (configured !== undefined) suppliers.add(configured);
  return [...suppliers].map((value) => ({ value, says: '' }));
}

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;
type Shell = (typeof SHELLS)[number];

/** The script for a shell, or the answer to a script that asks. */
type CompletionResult = { readonly shell: Shell } & (
  | { readonly asked: false; readonly script: string }
  | {
      readonly asked: true;
      readonly candidates: readonly { readonly value: string; readonly says: string }[];
      readonly hasFiles: boolean;
    }
);

const shownCompletion = shownAs<CompletionResult>({
  document: (result, exit) =>
    result.asked
      ? { version: 1, exit: exitDocument(exit), candidates: result.candidates, files: result.hasFiles }
      : { version: 1, exit: exitDocument(exit), shell: result.shell, script: result.script },
  text: (result) => (result.asked ? answerText(result) : result.script),
});

/** A line for each candidate, its text after a tab, and a last line where the shell adds names of files. */
function answerText({ candidates, hasFiles }: CompletionResult & { asked: true }): string {
  const lines = candidates.map(({ value, says }) => `${value}\t${says}\n`);
  return lines.join('') + (hasFiles ? ':files\n' : '');
}
