import { longFlag, SETTINGS, variableOf, type SettingName } from './schema.ts';

/** Where the text of a setting comes from. */
export interface SettingSource {
  readonly kind: 'flag' | 'variable' | 'file' | 'default';
  /** For errors and lists: `--timeout`, `DATAIMPORT_TIMEOUT`, `/home/me/dataimport.config.yaml:3`, `default`. */
  readonly words: string;
  /** The line of a file. Its relative paths start from the folder of the file, and all others from the current folder. */
  readonly place?: Readonly<{ file: string; line: number }>;
}

/** The text of a setting before it is parsed. */
export type GivenText = { readonly text: string; readonly source: SettingSource };

/** One place that may give settings. */
export type Layer = (name: SettingName) => GivenText | undefined;

/** Texts of the flags that are settings, as they were typed. */
export type SettingFlags = Partial<Record<SettingName, string>>;

export const flagLayer =
  (flags: SettingFlags): Layer =>
  (name) =>
    given(flags[name], { kind: 'flag', words: longFlag(name) ?? name });

export const variableLayer =
  (env: Readonly<Record<string, string | undefined>>): Layer =>
  (name) =>
    given(env[variableOf(name)], { kind: 'variable', words: variableOf(name) });

export const defaultLayer: Layer = (name) =>
  given(SETTINGS[name].default ?? undefined, { kind: 'default', words: 'default' });

/** The line of a file as a source. */
export const lineOf = (file: string, line: number): SettingSource => ({
  kind: 'file',
  words: `${file}:${line}`,
  place: { file, line },
});

const given = (text: string | undefined, source: SettingSource): GivenText | undefined =>
  text === undefined ? undefined : { text, source };
