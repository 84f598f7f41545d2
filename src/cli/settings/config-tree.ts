import { isAbsolute } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import type { Path } from '../../core/problem.ts';
import { suggestion } from '../../core/suggestion.ts';
import { readYaml, type TextPosition } from '../../core/yaml/yaml-text.ts';
import { SETTING_NAMES, type SettingName } from './schema.ts';

/** The settings of one mapping in a file, as texts with their lines (one-based). */
export type ConfigEntries = ReadonlyMap<SettingName, { readonly text: string; readonly line: number }>;

export interface ConfigTree {
  readonly file: string;
  readonly settings: ConfigEntries;
  readonly profiles: ReadonlyMap<string, ConfigEntries>;
  /** Folders whose configuration file the user trusts, as they are written. Only the user's own file has them. */
  readonly trust: readonly string[];
}

/** The key of the named sets of settings. */
const PROFILES = 'profiles';

/** The key of the list of trusted folders. */
export const TRUST = 'trust';

/** Keys under which people try to write a secret. */
const SECRET_KEYS = ['apiKey', 'api_key', 'token', 'key', 'secret', 'password'];

/**
 * Parses the YAML of a configuration file. Every value is text here, so that `supplier: 007` keeps its zeros and a value
 * in a file means the same as in a flag.
 * @throws AppError `setting_invalid` for bad YAML, an unknown key, a secret, a value that is not text
 */
export function parseConfig(
  file: string,
  text: string,
  { whose, removedSetting }: { whose: 'user' | 'project'; removedSetting: RemovedSetting | undefined },
): ConfigTree {
  const { yaml, problems } = readYaml({ file, text, schema: 'failsafe' });
  if (!yaml) {
    const [{ reason, ...position }] = problems;
    throw invalid('as a whole', `it is not readable YAML: ${reason}`, position);
  }
  const locate: Locate = yaml.positionOf;
  const settingsOf = settingsReader(locate, removedSetting);
  const tree = entriesOf(yaml.value, 'the file', locate([], 'value'));
  if (whose === 'project' && TRUST in tree)
    throw invalid(TRUST, "only the user's own configuration file can trust a folder", locate([TRUST], 'key'));
  const profiles = entriesOf(tree[PROFILES] ?? '', PROFILES, locate([PROFILES], 'value'));
  return {
    file,
    trust: foldersOf(tree[TRUST] ?? [], locate([TRUST], 'value')),
    settings: settingsOf(tree, []),
    profiles: new Map(
      Object.entries(profiles).map(([name, profile]) => {
        const path = [PROFILES, name];
        return [name, settingsOf(entriesOf(profile, name, locate(path, 'value')), path)];
      }),
    ),
  };
}

type Locate = (path: Path, what: 'key' | 'value') => TextPosition;
type RemovedSetting = (key: string) => string | undefined;
type Entries = Readonly<Record<string, unknown>>;

/** The entries of a mapping. A file of comments only has none. */
function entriesOf(value: unknown, name: string, location: TextPosition): Entries {
  if (value === null || value === '') return {};
  if (typeof value === 'object' && !Array.isArray(value)) return value as Entries;
  throw invalid(name, 'it must be a mapping of names to values', location);
}

function settingsReader(locate: Locate, removedSetting: RemovedSetting = () => undefined) {
  return (entries: Entries, path: Path): ConfigEntries => {
    const others = path.length === 0 ? [PROFILES, TRUST] : [];
    const given = Object.entries(entries).filter(([key]) => !others.includes(key));
    return new Map(
      given.map(([key, value]) => {
        const location = locate([...path, key], 'key');
        // A setting may have lost its flag.
        const removed = SETTING_NAMES.some((name) => name === key) ? undefined : removedSetting(key);
        if (removed !== undefined) throw invalid(key, removed, location);
        const name = settingName(key, others, location);
        if (typeof value !== 'string') throw invalid(key, 'it must be a single value', location);
        return [name, { text: value, line: location.line }];
      }),
    );
  };
}

function foldersOf(value: unknown, location: TextPosition): readonly string[] {
  const folders: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isFolder = (folder: unknown): folder is string =>
    typeof folder === 'string' && (isAbsolute(folder) || folder.startsWith('~/'));
  if (folders.every(isFolder)) return folders;
  throw invalid(TRUST, 'it must be a list of folders, each with its whole path', location);
}

function settingName(key: string, otherKeys: readonly string[], location: TextPosition): SettingName {
  const secret =
    'a configuration file must not contain a secret; use DATAIMPORT_API_KEY, apiKeyFile or apiKeyCommand';
  if (SECRET_KEYS.includes(key)) throw invalid(key, secret, location);
  const name = SETTING_NAMES.find((each) => each === key);
  if (name !== undefined) return name;
  const known = [...SETTING_NAMES, ...otherKeys];
  throw invalid(key, `there is no such setting${suggestion(key, known)}`, location);
}

function invalid(setting: string, reason: string, { file, line, column }: TextPosition): AppError {
  const accepted = 'the keys that docs/settings.md lists, each with one text';
  const source = `${file}:${line}`;
  return new AppError('setting_invalid', { setting, source, reason, accepted, file, line, column });
}
