import { AUTHORITIES, type Authority } from '../src/core/error-codes/entry.ts';
import { nextStepOf, sentenceOf } from '../src/core/error-codes/sentence.ts';
import { entryOf, ERROR_CODES, isWarning, retryOf, type ErrorCode } from '../src/core/error-codes/table.ts';
import { EXITS } from '../src/cli/output/exit-codes.ts';
import { NO_ENDINGS } from '../src/cli/output/explanation.ts';
import { SETTING_NAMES, SETTINGS, variableOf } from '../src/cli/settings/schema.ts';
import { page, table } from './page.ts';

// The pages of docs/ that are made from tables of the source. scripts/write-codes.ts writes them, and
// test/docs/reference-pages.test.ts compares them with the source.

/** docs/exit-codes.md */
export function exitCodesPage(): string {
  const codesOf = (exit: string) => CODES.filter((code) => !isWarning(code) && entryOf(code).exit === exit);
  const rows = Object.entries(EXITS).map(([key, { code, name, meaning, again }]) => {
    const codes = codesOf(key).length;
    return [`${code}`, name, meaning, again, codes === 0 ? '' : `${codes} in [codes.md](codes.md)`];
  });
  return page('Exit codes', [
    'How the program ends. Numbers and names do not change. With `--json` the document has both under `exit`.',
    '[codes.md](codes.md) lists the exit code of each error, and `dataimport explain <code>` shows it, too.',
    '',
    ...table(['exit', 'name', 'meaning', 'start again?', 'codes'], rows),
    '',
    'A scheduler that repeats the same command can act on these codes alone ([runs.md](runs.md)). "Start again?" says whether',
    'the same command, started again without a person, can lead further. After a kill (137) the answer is yes. A platform that',
    'never answered (`platform_never_answered`) ends with 5 and without a run, and the same command begins it.',
    '',
    '`dataimport migrate` ends with 5 while accounts are not imported yet and nobody waited for them.',
    'That includes imports that failed before the night, because most platforms do not tell these apart.',
    'It ends with 6, which is not started again, once it has waited as long as `--wait-for-accounts` allows, and when only accounts are',
    'left whose import failed or that a refused record holds. Look at them. The same command sends them afterwards ([night.md](night.md)).',
    '',
    '`--on-ambiguous stop` and `--max-errors` end with 4, too, because a person has to decide whether to continue, and a',
    'script that starts again at once would decide for them. After a kill of a run with `--on-ambiguous stop` look first,',
    'because `dataimport runs show <run>` lists its `unknown` rows. [what-happens-if.md](what-happens-if.md) explains each failure.',
  ]);
}

/** docs/codes.md */
export function codesPage(): string {
  const rows = CODES.toSorted().map((code) => {
    const { authority, status, exit } = entryOf(code);
    const ends = isWarning(code) ? 'none, a warning' : `${EXITS[exit].code} ${EXITS[exit].name}`;
    return [
      `\`${code}\``,
      sentenceOf(code, NO_ENDINGS),
      authority,
      status === null ? '' : `${status}`,
      RETRIES[retryOf(code)],
      ends,
      nextStepOf(code, NO_ENDINGS),
    ];
  });
  return page('Codes', [
    'Every error and warning has a code that does not change; the words beside it may. Programs decide by codes alone.',
    '`dataimport explain <code>` prints the same as this page. `…` replaces a fact of the case at hand.',
    '',
    ...AUTHORITIES.map((authority) => `- **${authority}**: ${AUTHORITY_TEXT[authority]}`),
    '',
    '"Sent again" says whether the same request may be sent again. "Exit" is the exit code of a command that ends with the',
    'code, see [exit-codes.md](exit-codes.md).',
    '',
    ...table(['code', 'meaning', 'authority', 'HTTP status', 'sent again', 'exit', 'next step'], rows),
  ]);
}

/** The table of docs/settings.md. */
export function settingsTable(): readonly string[] {
  const rows = SETTING_NAMES.map((name) => {
    const { flag, default: byDefault, defaultSays, says } = SETTINGS[name];
    return [
      `\`${name}\``,
      says,
      flag === null ? '' : `\`${flag}\``,
      `\`${variableOf(name)}\``,
      defaultSays ?? (byDefault === null ? '' : `\`${byDefault}\``),
    ];
  });
  return table(['key', 'meaning', 'flag', 'variable', 'default'], rows);
}

/** A page of hand-written text with a new table of settings. Only this table has `key` as its first column. */
export function withSettingsTable(text: string): string {
  const lines = text.split('\n');
  const from = lines.findIndex((line) => line.startsWith('| key |'));
  const length = lines.slice(from).findIndex((line) => !line.startsWith('|'));
  if (from < 0 || length < 0) throw new Error('the page has no table of settings');
  return lines.toSpliced(from, length, ...settingsTable()).join('\n');
}

const CODES = Object.keys(ERROR_CODES) as ErrorCode[];

const RETRIES = { never: 'no', wait: 'after a wait', token: 'with a new token' } as const;

export const AUTHORITY_TEXT: Readonly<Record<Authority, string>> = {
  documented: 'the interface document says so',
  observed: 'published descriptions of deployed instances say so',
  chosen: 'our own decision; the platform does not know the code, or leaves the case open',
  operator: 'the contract of the operator says so (docs/contract.md); no row of this table',
};
