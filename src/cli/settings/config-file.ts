import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { fileReason } from '../../core/file-reason.ts';
import { suggestion } from '../../core/suggestion.ts';
import { utf8Text } from '../../core/utf8-text.ts';
import type { ConfigEntries, ConfigTree } from './config-tree.ts';
import type { GivenText, Layer } from './layer.ts';
import type { SettingName } from './schema.ts';

/** The name that a project's configuration file has. */
const PROJECT_FILE = 'dataimport.config.yaml';

/** What of the world decides which files give settings. */
export interface ConfigWorld {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly homeDir: string;
  configDir(): Promise<string>;
  /** Takes the place of the project file (--config). */
  readonly config?: string;
  /** --profile */
  readonly profile?: string;
}

/**
 * The layers of the project file (the nearest above the current folder, or --config) and of the user's file, the
 * chosen profile of each before the rest of it.
 * @throws AppError `setting_invalid` for unknown keys, keys that hold a secret, bad YAML, a profile that no file has;
 *   `file_not_readable`, `file_not_utf8`
 */
export async function configLayers(world: ConfigWorld): Promise<readonly Layer[]> {
  const files = [projectFile(world), readIfThere(join(await world.configDir(), 'config.yaml'))];
  const trees = await Promise.all(files.filter((file) => file !== undefined).map(treeOf));
  if (world.profile !== undefined) assertProfile(world.profile, trees);
  return trees.flatMap((tree) => {
    const profile = world.profile === undefined ? undefined : tree.profiles.get(world.profile);
    return [...(profile ? [layerOf(tree, profile, world.profile)] : []), layerOf(tree, tree.settings)];
  });
}

interface ConfigFile {
  readonly path: string;
  readonly text: string;
}

function projectFile({ config, cwd }: ConfigWorld): ConfigFile | undefined {
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

/** At once: to wait for six folders, one after the other, takes longer than to read them. */
function readIfThere(path: string): ConfigFile | undefined {
  const bytes = bytesIfThere(path);
  return bytes && { path, text: utf8Text(bytes, path) };
}

function bytesIfThere(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new AppError('file_not_readable', { file: path, reason: fileReason(error) }, error);
  }
}

/** A YAML parser is loaded only where there is a file for it. */
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

function layerOf(tree: ConfigTree, entries: ConfigEntries, profile?: string): Layer {
  return {
    baseDir: dirname(tree.file),
    given: (name) => givenText(tree.file, entries, name, profile),
  };
}

function givenText(
  file: string,
  entries: ConfigEntries,
  name: SettingName,
  profile?: string,
): GivenText | undefined {
  const entry = entries.get(name);
  if (!entry) return undefined;
  return {
    text: entry.text,
    source: { kind: 'file', file, line: entry.line, ...(profile === undefined ? {} : { profile }) },
  };
}
