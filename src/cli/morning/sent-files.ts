import type { FlagWords } from '../../core/command-line.ts';
import type { CommandContext } from '../command/command.ts';
import type { SourceFlags } from '../command/flags.ts';
import type { RunHeader } from '../journal/database/run-header.ts';
import { flagLayer, type SettingFlags } from '../settings/layer.ts';
import { withDocument, type Settings } from '../settings/settings.ts';

/** A run of files that a push has sent, and the words of that command. */
export type PushedFiles = Pick<RunHeader, 'id' | 'resource' | 'sources'> & {
  readonly words: readonly string[];
};

/** The flags with which the files of a push are read again, as options, settings and words. All shards of a file are one whole. */
export async function sentFiles(
  { resource, sources, words }: PushedFiles,
  settings: Settings,
  { io, surface }: Pick<CommandContext, 'io' | 'surface'>,
) {
  const push = (await surface(words)).commands.find((command) => command.name() === 'push')!;
  push.parseOptions(words.slice(words.indexOf('push') + 1));
  const typed = push.opts<SourceFlags & SettingFlags>();
  const { map, maxRecords, supplier, contract } = typed;
  const flags: readonly FlagWords[] = [
    ['--map', map],
    ['--max-records', maxRecords?.toString()],
    ['--supplier', supplier],
    ['--contract', contract],
    ['--base-url', typed.baseUrl],
  ];
  return {
    options: {
      resource,
      file: sources.map(({ name }) => name),
      ...(map !== undefined && { map }),
      ...(maxRecords !== undefined && { maxRecords }),
    },
    settings: withDocument(settings, flagLayer(typed, io.cwd), io.homeDir),
    flags,
  };
}
