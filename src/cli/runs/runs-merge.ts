import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { shownMergedShards } from './merged-shards.ts';
import { fastOption, type FastFlag } from './proven-run.ts';
import { mergeShards } from './merge.ts';

export interface RunsMergeOptions extends FastFlag {
  /** Folders of run files, or run files. */
  readonly folder: readonly string[];
}

export const command: CommandDeclaration<RunsMergeOptions> = {
  description:
    'Adds the shards of one file up: every shard has to be there once, with the same content, platform and options, and every row has to be in exactly one of them. Sends nothing and changes nothing.',
  examples: [
    'dataimport runs merge .dataimport/runs',
    'dataimport runs merge volume-1 volume-2 volume-3 volume-4 --json',
  ],
  settings: [],
  declare: (declared) =>
    void declared
      .argument('<folder...>', 'folders of the run files of all shards, or the run files')
      .addOption(fastOption()),
  run,
};

async function run({ folder, fast = false }: RunsMergeOptions, context: CommandContext): Promise<CommandEnd> {
  const settings = await context.settings();
  const result = mergeShards(folder, { settings, flags: context.globals, cwd: context.io.cwd, fast });
  return { exit: result.ending.exit, result: shownMergedShards(result) };
}
