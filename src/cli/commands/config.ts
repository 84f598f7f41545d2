import { AppError } from '../../core/app-error.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { findCredentials } from '../settings/credentials.ts';
import { sourceText } from '../settings/layer.ts';
import { SETTINGS, SETTING_NAMES, longFlag, type SettingName } from '../settings/schema.ts';
import type { Settings } from '../settings/settings.ts';
import { shownAs } from '../output/formats/result-formats.ts';
import { exitDocument } from '../output/json.ts';
import { columnsText } from '../output/text/table.ts';
import { escapeControl } from '../output/text/text.ts';

export const command: CommandDeclaration<object> = {
  description:
    'Shows every setting with its value and where the value comes from: a flag, a variable, a line of a configuration file, or the default. Shows no key and no token.',
  examples: ['dataimport config', 'dataimport config --profile live --json'],
  settings: SETTING_NAMES.filter((name) => longFlag(name) !== undefined),
  declare: () => undefined,
  run,
};

async function run(_options: object, context: CommandContext): Promise<CommandEnd> {
  const settings = await context.settings();
  const shown = SETTING_NAMES.map((name) => shownSetting(name, settings));
  return {
    exit: 'OK',
    result: shownSettings({ settings: shown, credentials: credentialsText(settings, context) }),
  };
}

function shownSetting(name: SettingName, settings: Settings): ShownSetting {
  const found = settings.resolved(name);
  if (!found) return { name, value: null, isHidden: false, source: null, says: SETTINGS[name].says };
  // A command line may contain a key.
  const isHidden = name === 'apiKeyCommand';
  // A path counts from the folder of its source, so the text as it was typed would mislead.
  const isPath = SETTINGS[name].kind === 'path' && typeof found.value === 'string';
  const byDefault = found.source.kind === 'default' ? SETTINGS[name].defaultSays : undefined;
  const text = isPath ? (found.value as string) : (byDefault ?? found.text);
  return {
    name,
    value: isHidden ? null : text,
    isHidden,
    source: sourceText(found.source),
    says: SETTINGS[name].says,
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

/** One setting, and where its value comes from. */
interface ShownSetting {
  readonly name: string;
  /** As it was written, paths absolute; null without a value, and for a value that may contain a key. */
  readonly value: string | null;
  /** Whether there is a value that is not shown. */
  readonly isHidden: boolean;
  /** `--timeout`, `DATAIMPORT_TIMEOUT`, `/home/me/dataimport.config.yaml:3` or `default`; null without a value. */
  readonly source: string | null;
  readonly says: string;
}

interface SettingsResult {
  readonly settings: readonly ShownSetting[];
  /** Kind and origin of the secret, without the secret. */
  readonly credentials: string;
}

const shownSettings = shownAs<SettingsResult>({
  document: ({ settings, credentials }, exit) => ({
    version: 1,
    exit: exitDocument(exit),
    settings: settings.map(({ isHidden, ...setting }) => ({ ...setting, hidden: isHidden })),
    credentials,
  }),
  text: ({ settings, credentials }) =>
    columnsText(
      [
        ['setting', 'value', 'from'],
        ...settings.map(({ name, value, isHidden, source }) => [
          name,
          escapeControl(isHidden ? '(not shown)' : (value ?? '')),
          escapeControl(source ?? '(not set)'),
        ]),
        ['credentials', '', escapeControl(credentials)],
      ],
      ['left', 'left', 'left'],
    ),
});
