import { AUTHORITIES, type Authority } from '../src/core/error-codes/entry.ts';
import { nextStepOf, sentenceOf } from '../src/core/error-codes/sentence.ts';
import { entryOf, ERROR_CODES, isWarning, retryOf, type ErrorCode } from '../src/core/error-codes/table.ts';
import { EXITS } from '../src/cli/output/exit-codes.ts';
import { NO_ENDINGS, otherExit } from '../src/cli/commands/explain.ts';
import { SETTING_NAMES, SETTINGS } from '../src/cli/settings/schema.ts';
import { page, table } from './page.ts';

// The pages of docs/ that are made from tables of the source. scripts/write-codes.ts writes them, and
// test/docs/reference-pages.test.ts compares them with the source.

/** A page of hand-written text with a new table of exit codes, which is its first table. */
export function withExitTable(text: string): string {
  const rows = Object.values(EXITS).map(({ code, name, meaning, again }) => [
    `${code}`,
    name,
    meaning,
    again,
  ]);
  return withTable(text, table(['exit', 'name', 'meaning', 'start again?'], rows));
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
function settingsTable(): readonly string[] {
  const rows = SETTING_NAMES.map((name) => {
    const { flag, default: byDefault, defaultSays, says } = SETTINGS[name];
    return [
      `\`${name}\``,
      says,
      flag === null ? '' : `\`${flag}\``,
      defaultSays ?? (byDefault === null ? '' : `\`${byDefault}\``),
    ];
  });
  return table(['key', 'meaning', 'flag', 'default'], rows);
}

/** A page of hand-written text with a new table of settings. */
export function withSettingsTable(text: string): string {
  return withTable(text, settingsTable());
}

/** A page with a new table in the place of the one whose first column has the same heading. */
function withTable(text: string, rows: readonly string[]): string {
  const lines = text.split('\n');
  const [heading = ''] = /^\| [^|]+ \|/.exec(rows[0]!) ?? [];
  const from = lines.findIndex((line) => line.startsWith(heading));
  const length = lines.slice(from).findIndex((line) => !line.startsWith('|'));
  if (from < 0 || length < 0) throw new Error(`the page has no table that begins with ${heading}`);
  return lines.toSpliced(from, length, ...rows).join('\n');
}

const CODES = Object.keys(ERROR_CODES) as ErrorCode[];

const RETRIES = { never: 'no', wait: 'after a wait', token: 'with a new token' } as const;

export const AUTHORITY_TEXT: Readonly<Record<Authority, string>> = {
  documented: 'the interface document says so',
  observed: 'published descriptions of deployed instances say so',
  chosen: 'our own decision; the platform does not know the code, or leaves the case open',
  operator: 'the contract of the operator says so (docs/contract.md); no row of this table',
};
