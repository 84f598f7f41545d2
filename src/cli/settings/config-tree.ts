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
}

/** The key of the named sets of settings. */
const PROFILES = 'profiles';

/** Keys under which people try to write a secret. */
const SECRET_KEYS = ['apiKey', 'api_key', 'token', 'key', 'secret', 'password'];

/**
 * Parses the YAML of a configuration file. Every value is text here, so that `supplier: 007` keeps its zeros and a value
 * in a file means the same as in a flag.
 * @throws AppError `setting_invalid` for bad YAML, an unknown key, a secret, a value that is not text
 */
export function parseConfig(file: string, text: string): ConfigTree {
  const { yaml, problems } = readYaml({ file, text, schema: 'failsafe' });
  if (!yaml) {
    const [{ reason, ...position }] = problems;
    throw invalid('as a whole', `it is not readable YAML: ${reason}`, position);
  }
  const locate: Locate = yaml.positionOf;
  const tree = entriesOf(yaml.value, 'the file', locate([], 'value'));
  const profiles = entriesOf(tree[PROFILES] ?? '', PROFILES, locate([PROFILES], 'value'));
  return {
    file,
    settings: settingsOf(tree, [], locate),
    profiles: new Map(
      Object.entries(profiles).map(([name, profile]) => {
        const path = [PROFILES, name];
        return [name, settingsOf(entriesOf(profile, name, locate(path, 'value')), path, locate)];
      }),
    ),
  };
}

type Locate = (path: Path, what: 'key' | 'value') => TextPosition;
type Entries = Readonly<Record<string, unknown>>;

/** The entries of a mapping. A file of comments only has none. */
function entriesOf(value: unknown, name: string, location: TextPosition): Entries {
  if (value === null || value === '') return {};
  if (typeof value === 'object' && !Array.isArray(value)) return value as Entries;
  throw invalid(name, 'it must be a mapping of names to values', location);
}

function settingsOf(entries: Entries, path: Path, locate: Locate): ConfigEntries {
  const isWhole = path.length === 0;
  const given = Object.entries(entries).filter(([key]) => !(isWhole && key === PROFILES));
  return new Map(
    given.map(([key, value]) => {
      const location = locate([...path, key], 'key');
      const name = settingName(key, isWhole ? [PROFILES] : [], location);
      if (typeof value !== 'string') throw invalid(key, 'it must be a single value', location);
      return [name, { text: value, line: location.line }];
    }),
  );
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
