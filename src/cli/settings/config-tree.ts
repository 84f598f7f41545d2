import { AppError } from '../../core/app-error.ts';
import type { Path } from '../../core/problem.ts';
import { suggestion } from '../../core/suggestion.ts';
import { readYaml, type TextPosition } from '../../core/yaml/yaml-text.ts';
import { SETTING_NAMES, type SettingName } from './schema.ts';

/** The settings that one mapping of a file gives, as texts with their lines (one-based). */
export type ConfigEntries = ReadonlyMap<SettingName, { readonly text: string; readonly line: number }>;

/** One configuration file, read. */
export interface ConfigTree {
  readonly file: string;
  readonly settings: ConfigEntries;
  readonly profiles: ReadonlyMap<string, ConfigEntries>;
}

/** The key of a file that holds named sets of settings. */
const PROFILES = 'profiles';

/** Keys that people try to put a secret under. */
const SECRET_KEYS = ['apiKey', 'api_key', 'token', 'key', 'secret', 'password'];

/**
 * Reads the YAML of a configuration file. Every value is text here, so that `supplier: 007` stays what it is and a
 * value in a file is read exactly as the same text in a flag.
 * @throws AppError `setting_invalid` for bad YAML, an unknown key, a secret, a value that is not text
 */
export function parseConfig(file: string, text: string): ConfigTree {
  const { yaml, problems } = readYaml({ file, text, schema: 'failsafe' });
  if (!yaml) {
    const [{ reason, ...position }] = problems;
    throw wrong('as a whole', `it is not readable YAML: ${reason}`, position);
  }
  const at: At = yaml.positionOf;
  const tree = entriesOf(yaml.value, { what: 'the file', path: [], at });
  const profiles = entriesOf(tree[PROFILES] ?? '', { what: PROFILES, path: [PROFILES], at });
  return {
    file,
    settings: settingsOf(tree, [], at),
    profiles: new Map(
      Object.entries(profiles).map(([name, profile]) => {
        const path = [PROFILES, name];
        return [name, settingsOf(entriesOf(profile, { what: name, path, at }), path, at)];
      }),
    ),
  };
}

type At = (path: Path, what: 'key' | 'value') => TextPosition;
type Entries = Readonly<Record<string, unknown>>;

interface Whereabouts {
  readonly what: string;
  readonly path: Path;
  readonly at: At;
}

/** What stands in an object; in a text that is empty, as one that holds comments only is, nothing. */
function entriesOf(value: unknown, { what, path, at }: Whereabouts): Entries {
  if (value === null || value === '') return {};
  if (typeof value === 'object' && !Array.isArray(value)) return value as Entries;
  throw wrong(what, 'it must be a mapping of names to values', at(path, 'value'));
}

function settingsOf(entries: Entries, path: Path, at: At): ConfigEntries {
  const isWhole = path.length === 0;
  const given = Object.entries(entries).filter(([key]) => !(isWhole && key === PROFILES));
  return new Map(
    given.map(([key, value]) => {
      const place = at([...path, key], 'key');
      const name = settingName(key, isWhole ? [PROFILES] : [], place);
      if (typeof value !== 'string') throw wrong(key, 'it must be a single value', place);
      return [name, { text: value, line: place.line }];
    }),
  );
}

function settingName(key: string, otherKeys: readonly string[], place: TextPosition): SettingName {
  if (SECRET_KEYS.includes(key)) {
    throw wrong(
      key,
      'no file of ours holds a secret; use DATAIMPORT_API_KEY, apiKeyFile or apiKeyCommand',
      place,
    );
  }
  const name = SETTING_NAMES.find((each) => each === key);
  if (name !== undefined) return name;
  throw wrong(key, `there is no such setting${suggestion(key, [...SETTING_NAMES, ...otherKeys])}`, place);
}

function wrong(setting: string, reason: string, { file, line, column }: TextPosition): AppError {
  const accepted = 'the keys that docs/settings.md lists, each with one text';
  const source = `${file}:${line}`;
  return new AppError('setting_invalid', { setting, source, reason, accepted, file, line, column });
}
