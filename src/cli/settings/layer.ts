import { longFlag, SETTINGS, variableOf, type SettingName } from './schema.ts';

export type SettingSource =
  | { readonly kind: 'flag' | 'variable'; readonly name: string }
  | { readonly kind: 'file'; readonly file: string; readonly line: number }
  | { readonly kind: 'default' };

/** The text of a setting before it is parsed. */
export type GivenText = { readonly text: string; readonly source: SettingSource };

/** One place that may give settings. */
export interface Layer {
  /** The folder that relative paths of this place start from. */
  readonly baseDir: string;
  given(name: SettingName): GivenText | undefined;
}

/** Texts of the flags that are settings, as they were typed. */
export type SettingFlags = Partial<Record<SettingName, string>>;

export function flagLayer(flags: SettingFlags, cwd: string): Layer {
  return layer(cwd, (name) => [flags[name], { kind: 'flag', name: longFlag(name) ?? name }]);
}

export function variableLayer(env: Readonly<Record<string, string | undefined>>, cwd: string): Layer {
  return layer(cwd, (name) => [env[variableOf(name)], { kind: 'variable', name: variableOf(name) }]);
}

export function defaultLayer(cwd: string): Layer {
  return layer(cwd, (name) => [SETTINGS[name].default ?? undefined, { kind: 'default' }]);
}

function layer(
  baseDir: string,
  valueOf: (name: SettingName) => readonly [text: string | undefined, source: SettingSource],
): Layer {
  return {
    baseDir,
    given(name) {
      const [text, source] = valueOf(name);
      return text === undefined ? undefined : { text, source };
    },
  };
}

/** A source in words, for errors and lists: `--timeout`, `DATAIMPORT_TIMEOUT`, `/home/me/dataimport.config.yaml:3`. */
export function sourceText(source: SettingSource): string {
  if (source.kind === 'default') return 'default';
  if (source.kind !== 'file') return source.name;
  return `${source.file}:${source.line}`;
}
