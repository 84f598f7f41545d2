import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { suggestion } from '../../core/suggestion.ts';
import type { TextPosition } from '../../core/yaml/yaml-text.ts';
import { readTextFile, type FileLimits } from '../../files/text-file.ts';
import type { Io } from '../outside/io.ts';
import { lineOf, type GivenText, type Layer } from './layer.ts';
import { SETTING_NAMES, type SettingName } from './schema.ts';
import { assertOwn, isOwnHome, ownerOf } from './file-owner.ts';

export const PROJECT_FILE = 'dataimport.config.yaml';

/** What decides which files give settings. */
export interface ConfigOptions extends Pick<Io, 'cwd' | 'configDir' | 'env' | 'homeDir' | 'userId'> {
  /** Replaces the project file (--config). */
  readonly config?: string;
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
    return text === undefined ? undefined : await treeOf(path, text, path);
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
    return treeOf(path, readTextFile(path), ownFile);
  }
  const path = nearestConfig(cwd);
  if (path === undefined) return undefined;
  const text = textIfThere(path, foundLimits(path, options));
  return text === undefined ? undefined : treeOf(path, text, ownFile);
}

/** How a file that nobody has named is read. */
const foundLimits = (file: string, options: ConfigOptions): FileLimits => ({
  admit(stats) {
    const reason = 'it is a pipe, and nobody has named it';
    if (stats.isFIFO()) throw new AppError('config_untrusted', { file, reason });
    assertOwn(file, stats, options);
  },
});

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

/**
 * Parses a configuration file. Every value is text here, so that `supplier: 007` keeps its zeros and a value in a file means the same as in a
 * flag. The YAML parser is loaded only where a file exists.
 * @param ownFile the user's own file, which alone may name a command; undefined for a user without a home folder
 * @throws AppError `setting_invalid` for bad YAML, an unknown key, a secret, a value that is not text, a command of a project
 */
async function treeOf(file: string, text: string, ownFile: string | undefined): Promise<Layer> {
  const { readYaml } = await import('../../core/yaml/yaml-text.ts');
  const { yaml, problems } = readYaml({ file, text, schema: 'failsafe' });
  if (!yaml) {
    const [{ reason, ...position }] = problems;
    throw invalid('as a whole', `it is not readable YAML: ${reason}`, position);
  }
  const given = new Map<SettingName, GivenText>();
  for (const [key, value] of Object.entries(entriesOf(yaml.value, yaml.positionOf([], 'value')))) {
    const location = yaml.positionOf([key], 'key');
    const name = settingName(key, location);
    if (name === COMMAND && file !== ownFile) {
      const reason = 'it would run as you, so no file of a project can have it: move the line';
      const own = ownFile === undefined ? '' : `your own file ${ownFile} or `;
      throw invalid(COMMAND, reason, location, `${COMMAND} in ${own}DATAIMPORT_API_KEY_COMMAND`);
    }
    if (typeof value !== 'string') throw invalid(key, 'it must be a single value', location);
    given.set(name, { text: value, source: lineOf(file, location.line) });
  }
  return (name) => given.get(name);
}

/** Keys under which people try to write a secret. */
const SECRET_KEYS = /^(?:api_?key|client_?secret|key|password|secret|token)$/i;

/** The setting that is a command. It runs as the user, so a file that comes with a project cannot have it. */
const COMMAND: SettingName = 'apiKeyCommand';

/** The entries of a mapping. A file of comments only has none. */
function entriesOf(value: unknown, location: TextPosition): Readonly<Record<string, unknown>> {
  if (value === null || value === '') return {};
  if (typeof value === 'object' && !Array.isArray(value)) return value as Readonly<Record<string, unknown>>;
  throw invalid('the file', 'it must be a mapping of names to values', location);
}

function settingName(key: string, location: TextPosition): SettingName {
  const secret =
    'a configuration file must not contain a secret; use DATAIMPORT_API_KEY, DATAIMPORT_API_KEY_COMMAND or apiKeyFile';
  if (SECRET_KEYS.test(key)) throw invalid(key, secret, location);
  const name = SETTING_NAMES.find((each) => each === key);
  if (name !== undefined) return name;
  throw invalid(key, `there is no such setting${suggestion(key, SETTING_NAMES)}`, location);
}

function invalid(
  setting: string,
  reason: string,
  { file, line, column }: TextPosition,
  accepted = 'the keys that docs/settings.md lists, each with one text',
): AppError {
  const source = `${file}:${line}`;
  return new AppError('setting_invalid', { setting, source, reason, accepted, file, line, column });
}
