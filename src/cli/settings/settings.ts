import { dirname, resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import type { FlagWords } from '../../core/command-line.ts';
import { homePath } from '../../files/home-path.ts';
import { configLayers, type ConfigOptions } from './config-file.ts';
import {
  defaultLayer,
  flagLayer,
  variableLayer,
  type GivenText,
  type Layer,
  type SettingFlags,
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

/** A setting that has a value, as it was written, and where the value came from. */
export type ResolvedSetting<T = unknown> = GivenText & { readonly value: T };

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
  const { flags, env } = sources;
  const files = await configLayers(sources);
  return settingsOf([flagLayer(flags), variableLayer(env), ...files, defaultLayer], sources);
}

/** The defaults and `flags`, for a command that must not depend on what the user has set. */
export function defaultSettings(sources: Pick<SettingSources, 'flags' | 'cwd' | 'homeDir'>): Settings {
  return settingsOf([flagLayer(sources.flags), defaultLayer], sources);
}

/**
 * Settings with those of a document that a command names, such as a cohort file. Flags and variables go before it,
 * configuration files after it.
 * @throws AppError as `resolveSettings`
 */
export function withDocument(settings: Settings, document: Layer, folders: Folders): Settings {
  return settingsFrom((name) => {
    const before = settings.resolved(name);
    const isTyped = before?.source.kind === 'flag' || before?.source.kind === 'variable';
    return isTyped ? before : (resolveOne(name, [document], folders) ?? before);
  });
}

/** The folders that paths of settings start from. */
type Folders = Pick<ConfigOptions, 'cwd' | 'homeDir'>;

const settingsOf = (layers: readonly Layer[], folders: Folders): Settings =>
  settingsFrom((name) => resolveOne(name, layers, folders));

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
  folders: Folders,
): ResolvedSetting | undefined {
  const given = layers.flatMap((layer) => layer(name) ?? []);
  return given.map((each) => ({ ...each, value: parsed(name, each, folders) }))[0];
}

function parsed(name: SettingName, { text, source }: GivenText, { cwd, homeDir }: Folders): unknown {
  const { kind, parse, says: accepted }: Setting<unknown> = SETTINGS[name];
  const result = text === '' ? { reason: 'it is empty' } : parse(text);
  if (!('value' in result)) {
    const facts = { setting: name, source: source.words, reason: result.reason, accepted, ...source.place };
    throw new AppError(result.code ?? 'setting_invalid', facts);
  }
  if (kind !== 'path') return result.value;
  return resolve(source.place ? dirname(source.place.file) : cwd, homePath(String(result.value), homeDir));
}

/** The flags of settings that were typed, for a command that has to say them again. */
export const typedFlags = (settings: Pick<Settings, 'resolved'>, names: readonly SettingName[]) =>
  names.flatMap((name): readonly FlagWords[] => {
    const found = settings.resolved(name);
    return found?.source.kind === 'flag' ? [[found.source.words, found.text]] : [];
  });
