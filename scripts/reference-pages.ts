import { AUTHORITIES, type Authority } from '../src/core/error-codes/entry.ts';
import { nextStepOf, sentenceOf } from '../src/core/error-codes/sentence.ts';
import { entryOf, ERROR_CODES, isWarning, retryOf, type ErrorCode } from '../src/core/error-codes/table.ts';
import { EXITS } from '../src/cli/output/exit-codes.ts';
import { NO_ENDINGS, otherExit } from '../src/cli/output/explanation.ts';
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
    'A scheduler that repeats the same command needs these codes alone ([runs.md](runs.md)). "Start again?" says whether',
    'starting the same command again helps before anybody has looked. After a kill (137) it does. If the platform never',
    'answered (`platform_never_answered`), the command ends with 5 and leaves no run, and the same command begins one.',
    '',
    'Without `--wait-for-accounts`, `dataimport migrate` ends with 5 while accounts are not imported yet. An import that failed',
    'before the night looks the same on most platforms. `migrate` ends with 6 when it has waited as long as `--wait-for-accounts`',
    'allows, and when all accounts that are left have a failed import or a refused record. Look at these accounts. The same command',
    'sends them afterwards ([night.md](night.md)).',
    '',
    '`--max-errors` ends with 4, too, so that no script starts the command again before you have decided.',
    '[what-happens-if.md](what-happens-if.md) explains each failure.',
  ]);
}

/** docs/codes.md */
export function codesPage(): string {
  const rows = CODES.toSorted().map((code) => {
    const { authority, status, exit } = entryOf(code);
    const other = otherExit(code);
    const both = [exit, ...(other === null ? [] : [other])].map((name) => EXITS[name]);
    const ends = isWarning(code)
      ? 'none, a warning'
      : both
          .toSorted((one, next) => one.code - next.code)
          .map(({ code: number, name }) => `${number} ${name}`)
          .join(' or ');
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
    'code, see [exit-codes.md](exit-codes.md). Two numbers: the first when a check of the file finds the problem, the second',
    'when the platform refuses it. Rows that are set aside (`--skip-invalid`, `--on-reject skip`) end with 6.',
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
