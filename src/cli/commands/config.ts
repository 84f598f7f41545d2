import { AppError } from '../../core/app-error.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { findCredentials } from '../settings/credentials.ts';
import { SETTINGS, SETTING_NAMES, longFlag, type Setting, type SettingName } from '../settings/schema.ts';
import type { Settings } from '../settings/settings.ts';

export const command: CommandDeclaration<object> = {
  description:
    'Shows every setting with its value and where the value comes from: a flag, a variable, a line of a configuration file, or the default. Shows no key and no token.',
  examples: ['dataimport config', 'dataimport config --config live.yaml --json'],
  settings: SETTING_NAMES.filter((name) => longFlag(name) !== undefined),
  declare: () => undefined,
  run,
};

async function run(_options: object, context: CommandContext): Promise<CommandEnd> {
  const resolved = await context.settings();
  const settings = SETTING_NAMES.map((name) => shownSetting(name, resolved));
  const credentials = credentialsText(resolved, context);
  const rows = settings.map(({ name, value, hidden, source }) => [
    name,
    hidden ? '(not shown)' : (value ?? ''),
    source ?? '(not set)',
  ]);
  const table = [['setting', 'value', 'from'], ...rows, ['credentials', '', credentials]];
  return { exit: 'OK', result: { fields: { settings, credentials }, text: () => [{ table }] } };
}

/** One setting: its value as it was written, null where it is not shown, and where it comes from, such as `--timeout` or `default`. */
function shownSetting(name: SettingName, settings: Settings) {
  const { kind, defaultSays, says }: Setting<unknown> = SETTINGS[name];
  const found = settings.resolved(name);
  // A command line may contain a key.
  const hidden = found !== undefined && name === 'apiKeyCommand';
  // A path counts from the folder of its source, so the text as it was typed would mislead.
  const text = kind === 'path' && typeof found?.value === 'string' ? found.value : found?.text;
  const value = (found?.source.kind === 'default' ? defaultSays : undefined) ?? text ?? null;
  return {
    name,
    value: hidden ? null : value,
    hidden,
    source: found?.source.words ?? null,
    says,
  };
}

/** Kind and origin of the secret, or why there is none. */
function credentialsText(settings: Settings, { io }: CommandContext): string {
  try {
    const { kind, source } = findCredentials(settings, io);
    return `${kind} from ${source}`;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return `none: ${error.message}`;
  }
}
