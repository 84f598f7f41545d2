import { AUTHORITIES, type Authority } from '../src/core/error-codes/entry.ts';
import { nextStepOf, sentenceOf } from '../src/core/error-codes/sentence.ts';
import { entryOf, ERROR_CODES, retryOf, type ErrorCode } from '../src/core/error-codes/table.ts';
import { EXITS } from '../src/cli/exit-codes.ts';
import { NO_ENDINGS } from '../src/cli/commands/explain.ts';
import { SETTING_NAMES, SETTINGS } from '../src/cli/settings/schema.ts';
import { page, table } from './page.ts';

// The pages of docs/ that are made from tables of the source. scripts/write-codes.ts writes them and
// test/docs/reference-pages.test.ts holds them against the source.

/** docs/exit-codes.md */
export function exitCodesPage(): string {
  const codesOf = (exit: string) => CODES.filter((code) => entryOf(code).exit === exit);
  const rows = Object.entries(EXITS).map(([key, { code, name, meaning }]) => {
    const codes = codesOf(key).length;
    return [`${code}`, name, meaning, codes === 0 ? '' : `${codes} in [codes.md](codes.md)`];
  });
  return page('Exit codes', [
    'How the program ends. Numbers and names do not change; with `--json` the document has both under `exit`.',
    'Which error ends with which exit code stands in [codes.md](codes.md), and `dataimport explain <code>` says it too.',
    '',
    ...table(['exit', 'name', 'meaning', 'codes'], rows),
    '',
    'A script that pushes a file can act on these alone: 0 is done, 5, 130 and 143 are continued by `dataimport resume`,',
    '4 is continued the same way after a person has put the cause right, 6 has rows to look at, and everything else was',
    'stopped before anything was sent or needs a person: [what-happens-if.md](what-happens-if.md).',
    '',
    '4 is also what `--on-ambiguous stop` and `--max-errors` end with: whether to go on is what a person was to decide, and a',
    'script that resumes at once would decide it. Where a process was killed before it could end (137), `resume` is right, but',
    'not for a run with `--on-ambiguous stop`: look first, `dataimport runs show <run>` lists its `unknown` rows.',
  ]);
}

/** docs/codes.md */
export function codesPage(): string {
  const rows = CODES.toSorted().map((code) => {
    const { authority, status, exit } = entryOf(code);
    const ends = `${EXITS[exit].code} ${EXITS[exit].name}`;
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
    '"Sent again" says whether the same request may go to the platform again. "Exit" is the code that the program ends',
    'with when this is what ended it, see [exit-codes.md](exit-codes.md).',
    '',
    ...table(['code', 'meaning', 'authority', 'HTTP status', 'sent again', 'exit', 'next step'], rows),
  ]);
}

/** The table of docs/settings.md. */
export function settingsTable(): readonly string[] {
  const rows = SETTING_NAMES.map((name) => {
    const { flag, variable, default: byDefault, says } = SETTINGS[name];
    return [
      `\`${name}\``,
      says,
      flag === null ? '' : `\`${flag}\``,
      `\`${variable}\``,
      byDefault === null ? '' : `\`${byDefault}\``,
    ];
  });
  return table(['key', 'meaning', 'flag', 'variable', 'default'], rows);
}

/** A page of hand-written text with its table made anew; the table is the only one whose first column is `key`. */
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
  chosen: 'our own; the platform does not know it, or leaves it open',
};
