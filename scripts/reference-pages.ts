import type { Authority } from '../src/core/error-codes/entry.ts';
import { nextStepOf, sentenceOf } from '../src/core/error-codes/sentence.ts';
import { ERROR_CODES, type ErrorCode } from '../src/core/error-codes/table.ts';
import { EXITS } from '../src/cli/output/exit-codes.ts';
import { NO_ENDINGS } from '../src/cli/commands/explain.ts';
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
  const rows = CODES.toSorted().map((code) => [
    `\`${code}\``,
    sentenceOf(code, NO_ENDINGS),
    firstSentence(nextStepOf(code, NO_ENDINGS)),
  ]);
  return page('Codes', [
    'Every error and warning has a code that does not change; the words beside it may. Programs decide by codes alone.',
    '`dataimport explain <code>` prints more: who says the rule, the HTTP status, the exit code, and whether the same request may be',
    'sent again. `…` replaces a fact of the case at hand.',
    '',
    ...table(['code', 'meaning', 'what to do'], rows),
  ]);
}

/** A text up to the end of its first sentence, or of its first part where that is longer than a cell should be. */
function firstSentence(text: string): string {
  const sentence = /^.*?[.?](?= [A-Z\-`]|$)/s.exec(text)?.[0] ?? text;
  const [, part] = /^((?:`[^`]*`|[^`])+?)[;:] /s.exec(sentence) ?? [];
  return part !== undefined && sentence.split(' ').length > MOST_WORDS ? `${part}.` : sentence;
}

const MOST_WORDS = 18;

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

export const AUTHORITY_TEXT: Readonly<Record<Authority, string>> = {
  documented: 'the interface document says so',
  observed: 'published descriptions of deployed instances say so',
  chosen: 'our own decision; the platform does not know the code, or leaves the case open',
  operator: 'the contract of the operator says so (docs/contract.md); no row of this table',
};
