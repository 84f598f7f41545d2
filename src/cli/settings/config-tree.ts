import { AppError } from '../../core/app-error.ts';
import { suggestion } from '../../core/suggestion.ts';
import { readYaml, type TextPosition } from '../../core/yaml/yaml-text.ts';
import { SETTING_NAMES, type SettingName } from './schema.ts';

/** The settings of one mapping in a file, as texts with their lines (one-based). */
export type ConfigEntries = ReadonlyMap<SettingName, { readonly text: string; readonly line: number }>;

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
): ConfigEntries {
  const { yaml, problems } = readYaml({ file, text, schema: 'failsafe' });
  if (!yaml) {
    const [{ reason, ...position }] = problems;
    throw invalid('as a whole', `it is not readable YAML: ${reason}`, position);
  }
  const locate = yaml.positionOf;
  const tree = entriesOf(yaml.value, locate([], 'value'));
  return new Map(
    Object.entries(tree).map(([key, value]) => {
      const location = locate([key], 'key');
      const name = settingName(key, location, removedSetting);
      if (name === COMMAND && file !== ownFile) {
        const reason = 'it would run as you, so no file of a project can have it: move the line';
        const own = ownFile === undefined ? '' : `your own file ${ownFile} or `;
        throw invalid(COMMAND, reason, location, `${COMMAND} in ${own}DATAIMPORT_API_KEY_COMMAND`);
      }
      if (typeof value !== 'string') throw invalid(key, 'it must be a single value', location);
      return [name, { text: value, line: location.line }];
    }),
  );
}

type RemovedSetting = (key: string) => string | undefined;

/** The entries of a mapping. A file of comments only has none. */
function entriesOf(value: unknown, location: TextPosition): Readonly<Record<string, unknown>> {
  if (value === null || value === '') return {};
  if (typeof value === 'object' && !Array.isArray(value)) return value as Readonly<Record<string, unknown>>;
  throw invalid('the file', 'it must be a mapping of names to values', location);
}

function settingName(
  key: string,
  location: TextPosition,
  removedSetting: RemovedSetting | undefined,
): SettingName {
  const secret =
    'a configuration file must not contain a secret; use DATAIMPORT_API_KEY, DATAIMPORT_API_KEY_COMMAND or apiKeyFile';
  if (SECRET_KEYS.includes(key)) throw invalid(key, secret, location);
  const name = SETTING_NAMES.find((each) => each === key);
  if (name !== undefined) return name;
  const reason = removedSetting?.(key) ?? `there is no such setting${suggestion(key, SETTING_NAMES)}`;
  throw invalid(key, reason, location);
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
