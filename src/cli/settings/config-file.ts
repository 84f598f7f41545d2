import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { suggestion } from '../../core/suggestion.ts';
import { readTextFile, type FileLimits } from '../../files/text-file.ts';
import type { ConfigEntries, ConfigTree } from './config-tree.ts';
import type { Layer } from './layer.ts';
import { assertOwn, isOwnHome, isTrusted, ownerOf, trustedFolders, type UserId } from './trusted-folders.ts';

export const PROJECT_FILE = 'dataimport.config.yaml';

/** What decides which files give settings. */
export interface ConfigOptions {
  readonly cwd: string;
  /** Folder of the user's own configuration file; undefined for a user without a home folder. */
  configDir(): Promise<string | undefined>;
  /** Replaces the project file (--config). */
  readonly config?: string;
  /** --profile */
  readonly profile?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDir: string | undefined;
  readonly userId: UserId;
  /** What does now what a removed setting did. */
  removedSetting?(key: string): string | undefined;
  /** Hears why the user's own settings are left out. */
  readonly notice?: (text: string) => void;
}

/**
 * The layers of the project file (the nearest above the current folder, or --config) and of the user's file. In each file
 * the chosen profile comes before the rest. A project file that was found by searching may be a stranger's. It is refused if another user can
 * have written it, and its `apiKeyCommand` is not run, until the user trusts its folder. So is the user's file
 * in a home folder, or the folder of XDG_CONFIG_HOME, that others can fill.
 * @throws AppError `setting_invalid` for unknown keys, keys that contain a secret, bad YAML, a profile that no file has;
 *   `config_untrusted`, `file_not_readable`, `file_not_utf8`
 */
export async function configLayers(options: ConfigOptions): Promise<readonly Layer[]> {
  const { profile } = options;
  const own = await userTree(options);
  const trees = [await projectTree(options, own?.trust ?? []), own].filter((tree) => tree !== undefined);
  if (profile !== undefined) assertProfile(profile, trees);
  return trees.flatMap((tree) => {
    const chosen = profile === undefined ? undefined : tree.profiles.get(profile);
    return [...(chosen ? [layerOf(tree, chosen, profile)] : []), layerOf(tree, tree.settings)];
  });
}

/** A file, and whether a stranger may have written it, so that it must not run commands. */
type Found = ConfigTree & { readonly isUntrusted?: true };

/** The path of the user's own file, which may not be there; undefined for a user without a home folder. */
export async function userConfigPath({
  configDir,
}: Pick<ConfigOptions, 'configDir'>): Promise<string | undefined> {
  const folder = await configDir();
  return folder && join(folder, 'config.yaml');
}

/** The user's own file, unless it is somebody else's and closed, as with HOME=/root in a container. @throws AppError as `configLayers` */
export async function userTree(options: Omit<ConfigOptions, 'cwd'>): Promise<ConfigTree | undefined> {
  const { homeDir, userId, env, notice } = options;
  const path = await userConfigPath(options);
  if (path === undefined) return undefined;
  // `su` keeps the variable of the user before.
  const folders = [homeDir, env['XDG_CONFIG_HOME'] || homeDir];
  const isOwn = folders.every((folder) => isOwnHome(folder, userId, env));
  try {
    const text = textIfThere(path, isOwn ? undefined : foundLimits(path, [], options));
    return text === undefined ? undefined : await treeOf(path, text, 'user', options);
  } catch (error) {
    if (causeOf(error) !== 'EACCES' || ownerOf(path) === userId) throw error;
    notice?.(
      `No settings of your own are used: this user may not read ${path}. Is HOME that of another user?`,
    );
    return undefined;
  }
}

/** The nearest project file above a folder. Synchronous, because waiting for six folders one after the other takes longer. */
export function nearestConfig(cwd: string): string | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = join(folder, PROJECT_FILE);
    if (existsSync(path)) return path;
    if (folder === dirname(folder)) return undefined;
  }
}

async function projectTree(options: ConfigOptions, trust: readonly string[]): Promise<Found | undefined> {
  const { config, cwd } = options;
  // A file that the user names is trusted.
  if (config !== undefined) {
    const path = resolve(cwd, config);
    return treeOf(path, readTextFile(path), 'project', options);
  }
  const path = nearestConfig(cwd);
  if (path === undefined) return undefined;
  const limits = foundLimits(path, trust, options);
  const text = textIfThere(path, limits);
  if (text === undefined) return undefined;
  return { ...(await treeOf(path, text, 'project', options)), ...(limits && { isUntrusted: true }) };
}

/** How a file that nobody has named is read; undefined for a file in a trusted folder. */
function foundLimits(
  path: string,
  trust: readonly string[],
  options: Omit<ConfigOptions, 'cwd'>,
): FileLimits | undefined {
  if (isTrusted(path, trustedFolders(trust, options))) return undefined;
  return {
    admit(stats) {
      if (stats.isFIFO())
        throw new AppError('config_untrusted', {
          file: path,
          reason: 'it is a pipe, and nobody has named it',
        });
      assertOwn(path, stats, options);
    },
  };
}

function textIfThere(path: string, limits: FileLimits | undefined): string | undefined {
  try {
    return readTextFile(path, path, limits);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(causeOf(error))) return undefined;
    throw error;
  }
}

/** The code of the system behind an error; empty without one. */
const causeOf = (error: unknown): string =>
  (error instanceof AppError && (error.cause as NodeJS.ErrnoException | undefined)?.code) || '';

/** The YAML parser is loaded only where a file exists. */
async function treeOf(
  path: string,
  text: string,
  whose: 'user' | 'project',
  { removedSetting }: Pick<ConfigOptions, 'removedSetting'>,
): Promise<ConfigTree> {
  return (await import('./config-tree.ts')).parseConfig(path, text, { whose, removedSetting });
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

function layerOf({ file, isUntrusted }: Found, entries: ConfigEntries, profile?: string): Layer {
  return {
    baseDir: dirname(file),
    given(name) {
      const entry = entries.get(name);
      if (!entry) return undefined;
      const { text, line } = entry;
      const named = { ...(profile !== undefined && { profile }), ...(isUntrusted && { isUntrusted }) };
      return { text, source: { kind: 'file', file, line, ...named } };
    },
  };
}
