import { isMap, isScalar, LineCounter, parseDocument, type Node, type Pair, type Scalar } from 'yaml';
import { AppError } from '../../core/app-error.ts';
import { suggestion } from '../../core/suggestion.ts';
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
  const lines = new LineCounter();
  const document = parseDocument(text, { schema: 'failsafe', lineCounter: lines, prettyErrors: false });
  const at = (offset: number | undefined): Place => ({ file, line: lines.linePos(offset ?? 0).line });
  const [error] = document.errors;
  // The message of the parser can quote the text of the file, so only its code is shown.
  if (error) throw wrong('as a whole', `it is not readable YAML (${error.code})`, at(error.pos[0]));

  const settings = new Map<SettingName, { text: string; line: number }>();
  const profiles = new Map<string, ConfigEntries>();
  for (const pair of pairsOf(document.contents, 'the file', at)) {
    if (keyOf(pair) !== PROFILES) {
      addSetting(settings, pair, [PROFILES], at);
      continue;
    }
    for (const profile of pairsOf(pair.value, PROFILES, at)) {
      const entries = new Map<SettingName, { text: string; line: number }>();
      for (const entry of pairsOf(profile.value, keyOf(profile), at)) addSetting(entries, entry, [], at);
      profiles.set(keyOf(profile), entries);
    }
  }
  return { file, settings, profiles };
}

interface Place {
  readonly file: string;
  readonly line: number;
}

type At = (offset: number | undefined) => Place;
type YamlPair = Pair<Node, Node | null>;

function addSetting(
  entries: Map<SettingName, { text: string; line: number }>,
  pair: YamlPair,
  otherKeys: readonly string[],
  at: At,
): void {
  const key = keyOf(pair);
  const place = at(pair.key.range?.[0]);
  if (SECRET_KEYS.includes(key)) {
    throw wrong(
      key,
      'no file of ours holds a secret; use DATAIMPORT_API_KEY, apiKeyFile or apiKeyCommand',
      place,
    );
  }
  if (!isSettingName(key)) {
    throw wrong(key, `there is no such setting${suggestion(key, [...SETTING_NAMES, ...otherKeys])}`, place);
  }
  if (!isScalar(pair.value)) throw wrong(key, 'it must be a single value', place);
  entries.set(key, { text: textOf(pair.value), line: place.line });
}

function pairsOf(node: unknown, what: string, at: At): readonly YamlPair[] {
  if (node === null || (isScalar(node) && node.value === '')) return [];
  if (isMap<Node, Node | null>(node)) return node.items;
  throw wrong(what, 'it must be a mapping of names to values', at((node as Node).range?.[0]));
}

function keyOf({ key }: YamlPair): string {
  return isScalar(key) ? textOf(key) : '';
}

/** Every scalar of the failsafe schema is text. */
function textOf({ value }: Scalar): string {
  return typeof value === 'string' ? value : '';
}

function isSettingName(key: string): key is SettingName {
  return (SETTING_NAMES as readonly string[]).includes(key);
}

function wrong(setting: string, reason: string, { file, line }: Place): AppError {
  const accepted = 'the keys that docs/settings.md lists, each with one text';
  return new AppError('setting_invalid', {
    setting,
    source: `${file}:${line}`,
    reason,
    accepted,
    file,
    line,
  });
}
