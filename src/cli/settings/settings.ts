import { resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import type { FlagWords } from '../../core/command-line.ts';
import { homePath } from '../../files/home-path.ts';
import { configLayers, type ConfigOptions } from './config-file.ts';
import {
  defaultLayer,
  flagLayer,
  sourceText,
  variableLayer,
  type GivenText,
  type Layer,
  type SettingFlags,
  type SettingSource,
} from './layer.ts';
import {
  longFlag,
  SETTING_NAMES,
  SETTINGS,
  variableOf,
  type Setting,
  type SettingName,
  type SettingValue,
} from './schema.ts';

/** A setting that has a value, and where the value came from. */
export interface ResolvedSetting<T = unknown> {
  readonly value: T;
  /** As it was written. */
  readonly text: string;
  readonly source: SettingSource;
}

/** The settings of one command line, all parsed and checked. */
export interface Settings {
  /** The value; undefined without a value and a default. */
  get<K extends SettingName>(name: K): SettingValue<K> | undefined;
  /** @throws AppError `setting_invalid` */
  need<K extends SettingName>(name: K): SettingValue<K>;
  /** Value and source; undefined without a value and a default. */
  resolved<K extends SettingName>(name: K): ResolvedSetting<SettingValue<K>> | undefined;
}

/** Everything that settings come from. */
export interface SettingSources extends ConfigOptions {
  readonly flags: SettingFlags;
}

/**
 * Resolves every setting: flag, then environment, then project file, then user file, then default. Every given setting is parsed, whether the command uses it or not, so that a mistake is reported at once.
 * @throws AppError `setting_invalid`, `base_url_insecure`, `config_untrusted`, `file_not_readable`
 */
export async function resolveSettings(sources: SettingSources): Promise<Settings> {
  const { flags, env, cwd, homeDir } = sources;
  const files = await configLayers(sources);
  return settingsOf([flagLayer(flags, cwd), variableLayer(env, cwd), ...files, defaultLayer(cwd)], homeDir);
}

/** The defaults and `flags`, for a command that must not depend on what the user has set. */
export function defaultSettings(sources: Pick<SettingSources, 'flags' | 'cwd' | 'homeDir'>): Settings {
  const { flags, cwd, homeDir } = sources;
  return settingsOf([flagLayer(flags, cwd), defaultLayer(cwd)], homeDir);
}

/**
 * Settings with those of a document that a command names, such as a cohort file. Flags and variables go before it,
 * configuration files after it.
 * @throws AppError as `resolveSettings`
 */
export function withDocument(settings: Settings, document: Layer, homeDir: string | undefined): Settings {
  return settingsFrom((name) => {
    const before = settings.resolved(name);
    const isTyped = before?.source.kind === 'flag' || before?.source.kind === 'variable';
    return isTyped ? before : (resolveOne(name, [document], homeDir) ?? before);
  });
}

function settingsOf(layers: readonly Layer[], homeDir: string | undefined): Settings {
  return settingsFrom((name) => resolveOne(name, layers, homeDir));
}

function settingsFrom(resolveSetting: (name: SettingName) => ResolvedSetting | undefined): Settings {
  const found = new Map(SETTING_NAMES.map((name) => [name, resolveSetting(name)]));
  const resolved = <K extends SettingName>(name: K) =>
    found.get(name) as ResolvedSetting<SettingValue<K>> | undefined;
  return {
    resolved,
    get: (name) => resolved(name)?.value,
    need(name) {
      const setting = resolved(name);
      if (setting) return setting.value;
      const flag = longFlag(name) ?? `\`${name}\` in a configuration file`;
      throw new AppError('setting_invalid', {
        setting: name,
        what: 'is missing',
        todo: `Give ${flag}, set ${variableOf(name)}, or write it to dataimport.config.yaml.`,
      });
    },
  };
}

/** The first layer that has the setting wins. Every layer that has it is parsed. */
function resolveOne(
  name: SettingName,
  layers: readonly Layer[],
  homeDir: string | undefined,
): ResolvedSetting | undefined {
  return layers.flatMap((layer) => {
    const given = layer.given(name);
    return given
      ? [{ value: parsed(name, given, layer.baseDir, homeDir), text: given.text, source: given.source }]
      : [];
  })[0];
}

function parsed(
  name: SettingName,
  { text, source }: GivenText,
  baseDir: string,
  homeDir: string | undefined,
): unknown {
  const setting: Setting<unknown> = SETTINGS[name];
  const result = text === '' ? { reason: 'it is empty' } : setting.parse(text);
  if ('value' in result)
    return setting.kind === 'path' ? resolve(baseDir, homePath(String(result.value), homeDir)) : result.value;
  const place = source.kind === 'file' ? { file: source.file, line: source.line } : {};
  const accepted = setting.says;
  const facts = { setting: name, source: sourceText(source), reason: result.reason, accepted, ...place };
  throw new AppError(result.code ?? 'setting_invalid', facts);
}

/** The flags of settings that were typed, for a command that has to say them again. */
export const typedFlags = (settings: Pick<Settings, 'resolved'>, names: readonly SettingName[]) =>
  names.flatMap((name): readonly FlagWords[] => {
    const found = settings.resolved(name);
    return found?.source.kind === 'flag' ? [[found.source.name, found.text]] : [];
  });
