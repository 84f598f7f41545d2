import type { SettingName } from './schema.ts';

/** Where the value of a setting came from. */
export type SettingSource =
  | { readonly kind: 'flag' | 'variable'; readonly name: string }
  | { readonly kind: 'file'; readonly file: string; readonly line: number; readonly profile?: string }
  | { readonly kind: 'default' };

/** The text of a setting before it is read. */
export interface GivenText {
  readonly text: string;
  readonly source: SettingSource;
}

/** One place that may give settings. */
export interface Layer {
  /** The folder that relative paths of this place start from. */
  readonly baseDir: string;
  given(name: SettingName): GivenText | undefined;
}

/** A source in words, for errors and lists: `--timeout`, `DATAIMPORT_TIMEOUT`, `/home/me/dataimport.config.yaml:3`. */
export function sourceText(source: SettingSource): string {
  if (source.kind === 'default') return 'default';
  if (source.kind !== 'file') return source.name;
  return `${source.file}:${source.line}${source.profile === undefined ? '' : `, profile ${source.profile}`}`;
}
