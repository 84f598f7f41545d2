import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { fileReason } from '../../core/file-reason.ts';
import { suggestion } from '../../core/suggestion.ts';
import { utf8Text } from '../../core/utf8-text.ts';
import type { ConfigEntries, ConfigTree } from './config-tree.ts';
import type { Layer } from './layer.ts';

const PROJECT_FILE = 'dataimport.config.yaml';

/** What decides which files give settings. */
export interface ConfigOptions {
  readonly cwd: string;
  /** Folder of the user's own configuration file. */
  configDir(): Promise<string>;
  /** Replaces the project file (--config). */
  readonly config?: string;
  /** --profile */
  readonly profile?: string;
}

/**
 * The layers of the project file (the nearest above the current folder, or --config) and of the user's file. In each file
 * the chosen profile comes before the rest.
 * @throws AppError `setting_invalid` for unknown keys, keys that contain a secret, bad YAML, a profile that no file has;
 *   `file_not_readable`, `file_not_utf8`
 */
export async function configLayers(options: ConfigOptions): Promise<readonly Layer[]> {
  const { profile } = options;
  const files = [projectFile(options), readIfThere(join(await options.configDir(), 'config.yaml'))];
  const trees = await Promise.all(files.filter((file) => file !== undefined).map(treeOf));
  if (profile !== undefined) assertProfile(profile, trees);
  return trees.flatMap((tree) => {
    const chosen = profile === undefined ? undefined : tree.profiles.get(profile);
    return [...(chosen ? [layerOf(tree, chosen, profile)] : []), layerOf(tree, tree.settings)];
  });
}

type ConfigFile = { readonly path: string; readonly text: string };

function projectFile({ config, cwd }: ConfigOptions): ConfigFile | undefined {
  if (config !== undefined) {
    const path = resolve(cwd, config);
    const file = readIfThere(path);
    if (!file)
      throw new AppError('file_not_readable', { file: path, reason: fileReason({ code: 'ENOENT' }) });
    return file;
  }
  for (let folder = cwd; ; folder = dirname(folder)) {
    const file = readIfThere(join(folder, PROJECT_FILE));
    if (file || folder === dirname(folder)) return file;
  }
}

/** Synchronous, because waiting for six folders one after the other takes longer than reading them. */
function readIfThere(path: string): ConfigFile | undefined {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new AppError('file_not_readable', { file: path, reason: fileReason(error) }, error);
  }
  return { path, text: utf8Text(bytes, path) };
}

/** The YAML parser is loaded only where a file exists. */
async function treeOf({ path, text }: ConfigFile): Promise<ConfigTree> {
  return (await import('./config-tree.ts')).parseConfig(path, text);
}

function assertProfile(profile: string, trees: readonly ConfigTree[]): void {
  const known = trees.flatMap((tree) => [...tree.profiles.keys()]);
  if (known.includes(profile)) return;
  const reason = `no configuration file has the profile ${profile}${suggestion(profile, known)}`;
  throw new AppError('setting_invalid', {
    setting: 'profile',
    source: '--profile or DATAIMPORT_PROFILE',
    reason,
    accepted: 'the name of a profile of a configuration file',
  });
}

function layerOf({ file }: ConfigTree, entries: ConfigEntries, profile?: string): Layer {
  return {
    baseDir: dirname(file),
    given(name) {
      const entry = entries.get(name);
      if (!entry) return undefined;
      const { text, line } = entry;
      return { text, source: { kind: 'file', file, line, ...(profile === undefined ? {} : { profile }) } };
    },
  };
}
