import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Argument } from 'commander';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';

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
  const script = readFileSync(file, 'utf8');
  return Promise.resolve({
    exit: 'OK',
    result: { fields: { shell, script }, text: () => [{ lines: script }] },
  });
}
