import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { readTextFile, type FileLimits } from '../../files/text-file.ts';
import type { Layer } from './layer.ts';
import { assertOwn, isOwnHome, ownerOf, type UserId } from './file-owner.ts';

export const PROJECT_FILE = 'dataimport.config.yaml';

/** What decides which files give settings. */
export interface ConfigOptions {
  readonly cwd: string;
  /** Folder of the user's own configuration file; undefined for a user without a home folder. */
  configDir(): Promise<string | undefined>;
  /** Replaces the project file (--config). */
  readonly config?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDir: string | undefined;
  readonly userId: UserId;
  /** What does now what a removed setting did. */
  removedSetting?(key: string): string | undefined;
  /** Hears why the user's own settings are left out. */
  readonly notice?: (text: string) => void;
}

/**
 * The layers of the project file (the nearest above the current folder, or --config) and of the user's file. A project file that was found
 * by searching may be a stranger's. It is refused if another user can have written it. So is the user's file in a home folder, or the folder of
 * XDG_CONFIG_HOME, that others can fill. A file that the user names with --config is obeyed, whoever owns it. No file of a project can name a
 * command.
 * @throws AppError `setting_invalid` for unknown keys, keys that contain a secret, a command, bad YAML; `config_untrusted`,
 *   `file_not_readable`
 */
export async function configLayers(options: ConfigOptions): Promise<readonly Layer[]> {
  const configDir = await options.configDir();
  const ownFile = configDir && join(configDir, 'config.yaml');
  const own = ownFile === undefined ? undefined : await userTree(ownFile, options);
  return [await projectTree(ownFile, options), own].filter((layer) => layer !== undefined);
}

/** The user's own file, unless it is somebody else's and closed, as with HOME=/root in a container. @throws AppError as `configLayers` */
async function userTree(path: string, options: ConfigOptions): Promise<Layer | undefined> {
  const { homeDir, userId, env, notice } = options;
  // `su` keeps the variable of the user before.
  const folders = [homeDir, env['XDG_CONFIG_HOME'] || homeDir];
  const isOwn = folders.every((folder) => isOwnHome(folder, userId, env));
  try {
    const text = textIfThere(path, isOwn ? undefined : foundLimits(path, options));
    return text === undefined ? undefined : await treeOf(path, text, path, options);
  } catch (error) {
    if (causeOf(error) !== 'EACCES' || ownerOf(path) === userId) throw error;
    notice?.(
      `No settings of your own are used: this user may not read ${path}. Is HOME that of another user?`,
    );
    return undefined;
  }
}

/** The nearest project file above a folder. Synchronous, because waiting for six folders one after the other takes longer. */
function nearestConfig(cwd: string): string | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = join(folder, PROJECT_FILE);
    if (existsSync(path)) return path;
    if (folder === dirname(folder)) return undefined;
  }
}

async function projectTree(ownFile: string | undefined, options: ConfigOptions): Promise<Layer | undefined> {
  const { config, cwd } = options;
  if (config !== undefined) {
    const path = resolve(cwd, config);
    return treeOf(path, readTextFile(path), ownFile, options);
  }
  const path = nearestConfig(cwd);
  if (path === undefined) return undefined;
  const text = textIfThere(path, foundLimits(path, options));
  return text === undefined ? undefined : treeOf(path, text, ownFile, options);
}

/** How a file that nobody has named is read. */
function foundLimits(path: string, options: ConfigOptions): FileLimits {
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
  ownFile: string | undefined,
  { removedSetting }: Pick<ConfigOptions, 'removedSetting'>,
): Promise<Layer> {
  const { parseConfig } = await import('./config-tree.ts');
  const entries = parseConfig(path, text, { ownFile, removedSetting });
  return {
    baseDir: dirname(path),
    given(name) {
      const entry = entries.get(name);
      return entry && { text: entry.text, source: { kind: 'file', file: path, line: entry.line } };
    },
  };
}
