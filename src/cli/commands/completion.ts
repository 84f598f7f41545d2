import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Argument } from 'commander';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { shownAs } from '../output/formats/result-formats.ts';
import { exitDocument } from '../output/json.ts';

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

export type CompletionOptions = { readonly shell: (typeof SHELLS)[number] };

export const command: CommandDeclaration<CompletionOptions> = {
  description:
    'Prints a script with which a shell completes commands, flags, their choices and names of files.',
  examples: ['eval "$(dataimport completion bash)"'],
  settings: [],
  declare: (command) =>
    void command.addArgument(new Argument('<shell>', `shell: ${SHELLS.join(', ')}`).choices(SHELLS)),
  run,
};

/** The scripts are made from the commands and flags by `npm run generate:codes`. */
function run({ shell }: CompletionOptions, { io }: CommandContext): Promise<CommandEnd> {
  const file = join(io.packageFolder, 'completions', `dataimport.${shell}`);
  const result = shownCompletion({ shell, script: readFileSync(file, 'utf8') });
  return Promise.resolve({ exit: 'OK', result });
}

const shownCompletion = shownAs<CompletionOptions & { readonly script: string }>({
  document: (result, exit) => ({ version: 1, exit: exitDocument(exit), ...result }),
  text: ({ script }) => script,
});
