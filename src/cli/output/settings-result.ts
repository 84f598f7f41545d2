import { shownAs } from './formats/result-formats.ts';
import { exitDocument } from './json.ts';
import { columnsText } from './text/table.ts';
import { escapeControl } from './text/text.ts';

/** One setting, and where its value comes from. */
export interface ShownSetting {
  readonly name: string;
  /** As it was written, paths absolute; null without a value, and for a value that may contain a key. */
  readonly value: string | null;
  /** Whether there is a value that is not shown. */
  readonly isHidden: boolean;
  /** `--timeout`, `DATAIMPORT_TIMEOUT`, `/home/me/dataimport.config.yaml:3` or `default`; null without a value. */
  readonly source: string | null;
  readonly says: string;
}

export interface SettingsResult {
  readonly settings: readonly ShownSetting[];
  /** Kind and origin of the secret, without the secret. */
  readonly credentials: string;
}

export const shownSettings = shownAs<SettingsResult>({
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
