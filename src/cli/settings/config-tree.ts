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
const SECRET_KEYS = [
  'apiKey',
  'api_key',
  'token',
  'key',
  'secret',
  'password',
  'clientSecret',
  'client_secret',
];

/** The setting that is a command. It runs as the user, so a file that comes with a project cannot have it. */
const COMMAND: SettingName = 'apiKeyCommand';

/**
 * Parses the YAML of a configuration file. Every value is text here, so that `supplier: 007` keeps its zeros and a value
 * in a file means the same as in a flag.
 * @param ownFile the user's own file, which alone may name a command; undefined for a user without a home folder
 * @throws AppError `setting_invalid` for bad YAML, an unknown key, a secret, a value that is not text, a command of a project
 */
export function parseConfig(
  file: string,
  text: string,
  { ownFile, removedSetting }: { ownFile: string | undefined; removedSetting: RemovedSetting | undefined },
): ConfigTree {
  const { yaml, problems } = readYaml({ file, text, schema: 'failsafe' });
  if (!yaml) {
    const [{ reason, ...position }] = problems;
    throw invalid('as a whole', `it is not readable YAML: ${reason}`, position);
  }
  const locate: Locate = yaml.positionOf;
  const settingsOf = settingsReader(locate, removedSetting, (location) => {
    if (file === ownFile) return;
    const reason = 'it would run as you, so no file of a project can have it: move the line';
    const own = ownFile === undefined ? '' : `your own file ${ownFile} or `;
    throw invalid(COMMAND, reason, location, `${COMMAND} in ${own}DATAIMPORT_API_KEY_COMMAND`);
  });
  const tree = entriesOf(yaml.value, 'the file', locate([], 'value'));
  const profiles = entriesOf(tree[PROFILES] ?? '', PROFILES, locate([PROFILES], 'value'));
  return {
    file,
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

function settingsReader(
  locate: Locate,
  removedSetting: RemovedSetting | undefined,
  admitCommand: (location: TextPosition) => void,
) {
  return (entries: Entries, path: Path): ConfigEntries => {
    const others = path.length === 0 ? [PROFILES] : [];
    const given = Object.entries(entries).filter(([key]) => !others.includes(key));
    return new Map(
      given.map(([key, value]) => {
        const location = locate([...path, key], 'key');
        // A setting may have lost its flag.
        const removed = SETTING_NAMES.some((name) => name === key) ? undefined : removedSetting?.(key);
        if (removed !== undefined) throw invalid(key, removed, location);
        const name = settingName(key, others, location);
        if (name === COMMAND) admitCommand(location);
        if (typeof value !== 'string') throw invalid(key, 'it must be a single value', location);
        return [name, { text: value, line: location.line }];
      }),
    );
  };
}

function settingName(key: string, otherKeys: readonly string[], location: TextPosition): SettingName {
  const secret =
    'a configuration file must not contain a secret; use DATAIMPORT_API_KEY, DATAIMPORT_API_KEY_COMMAND or apiKeyFile';
  if (SECRET_KEYS.includes(key)) throw invalid(key, secret, location);
  const name = SETTING_NAMES.find((each) => each === key);
  if (name !== undefined) return name;
  const known = [...SETTING_NAMES, ...otherKeys];
  throw invalid(key, `there is no such setting${suggestion(key, known)}`, location);
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
