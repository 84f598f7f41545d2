import { isAbsolute, join, resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { configLayers, type ConfigWorld } from './config-file.ts';
import { sourceText, type GivenText, type Layer, type SettingSource } from './layer.ts';
import {
  longFlag,
  SETTING_NAMES,
  SETTINGS,
  type Setting,
  type SettingName,
  type SettingValue,
} from './schema.ts';

/** Texts of the flags that are settings, as they were typed. */
export type SettingFlags = Partial<Record<SettingName, string>>;

/** A setting that has a value, and who gave it. */
export interface ResolvedSetting<T = unknown> {
  readonly value: T;
  readonly source: SettingSource;
}

/** The settings of one command line, all read and checked. */
export interface Settings {
  /** The value, or undefined when nobody gave one and there is no default. */
  get<K extends SettingName>(name: K): SettingValue<K> | undefined;
  /** @throws AppError `setting_missing` */
  need<K extends SettingName>(name: K): SettingValue<K>;
  /** Value and source; undefined when nobody gave one and there is no default. */
  resolved<K extends SettingName>(name: K): ResolvedSetting<SettingValue<K>> | undefined;
}

/** What settings are made from: the typed flags and the parts of the world that can hold more. */
export interface SettingsWorld extends ConfigWorld {
  readonly flags: SettingFlags;
}

/**
 * Resolves every setting: flag, then environment, then project file, then user file, then default; in a file the
 * chosen profile goes before the rest of it. Everything that is given is read, whether the command uses it or not:
 * a mistake does not wait for the day it matters.
 * @throws AppError `setting_invalid`, `base_url_insecure`, `file_not_readable`
 */
export async function resolveSettings(world: SettingsWorld): Promise<Settings> {
  return settingsOf(
    [flagLayer(world), variableLayer(world), ...(await configLayers(world)), defaultLayer(world)],
    world,
  );
}

/** The defaults, but for what `flags` says: for a command that must not depend on what the user has set. */
export function defaultSettings(world: Pick<SettingsWorld, 'flags' | 'cwd' | 'homeDir'>): Settings {
  return settingsOf([flagLayer(world), defaultLayer(world)], world);
}

function settingsOf(layers: readonly Layer[], world: Pick<SettingsWorld, 'homeDir'>): Settings {
  const found = new Map(SETTING_NAMES.map((name) => [name, resolveOne(name, layers, world.homeDir)]));
  const resolved = <K extends SettingName>(name: K) =>
    found.get(name) as ResolvedSetting<SettingValue<K>> | undefined;
  return {
    resolved,
    get: (name) => resolved(name)?.value,
    need(name) {
      const setting = resolved(name);
      if (setting) return setting.value;
      const flag = longFlag(name) ?? `\`${name}\` in a configuration file`;
      throw new AppError('setting_missing', { setting: name, flag, variable: SETTINGS[name].variable });
    },
  };
}

/** The first layer that has the setting wins, and every layer that has it is read. */
function resolveOne(
  name: SettingName,
  layers: readonly Layer[],
  homeDir: string,
): ResolvedSetting | undefined {
  return layers.flatMap((layer) => {
    const given = layer.given(name);
    return given ? [{ value: read(name, given, layer.baseDir, homeDir), source: given.source }] : [];
  })[0];
}

function read(name: SettingName, { text, source }: GivenText, baseDir: string, homeDir: string): unknown {
  const setting: Setting<unknown> = SETTINGS[name];
  const reading = text === '' ? { reason: 'it is empty' } : setting.read(text);
  if ('value' in reading) {
    return setting.kind === 'path' ? absolutePath(String(reading.value), baseDir, homeDir) : reading.value;
  }
  const place = source.kind === 'file' ? { file: source.file, line: source.line } : {};
  const accepted = setting.says;
  const facts = { setting: name, source: sourceText(source), reason: reading.reason, accepted, ...place };
  throw new AppError(reading.code ?? 'setting_invalid', facts);
}

function absolutePath(path: string, baseDir: string, homeDir: string): string {
  if (path.startsWith('~/')) return join(homeDir, path.slice(2));
  return isAbsolute(path) ? path : resolve(baseDir, path);
}

function flagLayer({ flags, cwd }: Pick<SettingsWorld, 'flags' | 'cwd'>): Layer {
  return {
    baseDir: cwd,
    given: (name) => givenText(flags[name], { kind: 'flag', name: longFlag(name) ?? name }),
  };
}

function variableLayer({ env, cwd }: SettingsWorld): Layer {
  return {
    baseDir: cwd,
    given: (name) =>
      givenText(env[SETTINGS[name].variable], { kind: 'variable', name: SETTINGS[name].variable }),
  };
}

function defaultLayer({ cwd }: Pick<SettingsWorld, 'cwd'>): Layer {
  return {
    baseDir: cwd,
    given: (name) => givenText(SETTINGS[name].default ?? undefined, { kind: 'default' }),
  };
}

function givenText(text: string | undefined, source: SettingSource): GivenText | undefined {
  return text === undefined ? undefined : { text, source };
}
