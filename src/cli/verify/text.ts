import { DESCRIPTORS } from '../../core/contract/resources.ts';
import { total } from '../../core/values/counts.ts';
import type { Part, Result } from '../output/result.ts';
import { LEFT_OUT_WORDS } from '../output/run/look-text.ts';
import { readSentence, rowEnds } from '../output/run/run-summary.ts';
import type { Paint } from '../output/text/paint.ts';
import { problemLine } from '../output/text/problem-line.ts';
import { columnsText } from '../output/text/table.ts';
import { counted, escapeControl, escapedLines } from '../output/text/text.ts';
import {
  ACTOR_WORDS,
  type ComparedSide,
  type Verification,
  type VerifiedPart,
} from './verification-schema.ts';

/** What was found, and the names of the files that have it. */
export const shownVerification = (found: Verification, files: readonly string[]): Result => ({
  next: found.next,
  fields: found,
  // The figures of each part, then the answer and the steps.
  text: () => [
    ...found.parts.map((part): Part => ({ lines: (paint) => partText(part, paint) })),
    found.answer.sentence,
    ...found.answer.to_do.flatMap(({ who, what, command }) => [
      `${ACTOR_WORDS[who]}: ${what}`,
      ...(command === null ? [] : [`  ${command}`]),
    ]),
    ...files.map((file) => `written: ${file}`),
  ],
});

/** `transactions.csv was sent on 2026-11-21 10:15 UTC and has changed since: 3 rows differ, 1 is new`, and what has vanished. */
export function changedTexts({ files, rows, changed_since: changed }: VerifiedPart): readonly string[] {
  if (changed === null) return [];
  const { at, differing, new: added, gone, rows: before } = changed;
  const is = (count: number, what: string): readonly string[] =>
    count === 0 ? [] : [`${count} ${count === 1 ? 'is' : 'are'} ${what}`];
  const differ =
    differing === 0 ? [] : [`${counted(differing, 'row')} ${differing === 1 ? 'differs' : 'differ'}`];
  const parts = [...differ, ...is(added, 'new'), ...is(gone, 'gone')];
  const what = parts.length > 0 ? parts.join(', ') : `${counted(before, 'row')} then, ${rows.read} now`;
  const [was, has] = files.length === 1 ? ['was', 'has'] : ['were', 'have'];
  const when = `${at.replace('T', ' ').slice(0, 16)} UTC`;
  const names = files.map(({ name }) => name).join(', ');
  return [`${names} ${was} sent on ${when} and ${has} changed since: ${what}.`];
}

/** What of the records that arrived was compared, where no ledger was asked. */
export function comparedInAnswers(part: VerifiedPart): readonly string[] {
  const { idField, answer } = DESCRIPTORS[part.resource];
  if (part.comparisons.length > 0 || rowEnds(part).arrived === 0) return [];
  const movableDate = 'movableDate' in answer ? answer.movableDate : undefined;
  const fields = [idField ?? [], movableDate?.field ?? [], Object.keys(answer.echoed)].flat();
  const moved = part.groups.find(({ code }) => code === movableDate?.code)?.count ?? 0;
  const dates = moved > 0 ? `; ${counted(moved, 'date')} ${moved === 1 ? 'was' : 'were'} moved` : '';
  return [
    `compared: ${fields.join(', ')}, where the platform's answers repeat them; no other field is compared${dates}`,
  ];
}

type Money = (amount: string | null) => string;

function partText(part: VerifiedPart, paint: Paint): string {
  const { resource, files, rows, journals, control_totals: totals, amount_unit: unit, comparisons } = part;
  const { arrived, refused, ...others } = rowEnds(part);
  const money: Money = (amount) => (amount === null ? '' : inMajorUnits(amount, unit ?? 'major'));
  const platforms = [
    ...new Set(
      journals.map(({ target, is_local: isLocal }) => `${target}${isLocal ? ' (a local platform)' : ''}`),
    ),
  ];
  return [
    escapedLines([
      `${resource}, ${files.map(({ name }) => name).join(', ')}: ${readSentence(rows.read, { arrived, refused, ...others })}`,
      ...(platforms.length === 0 ? [] : [`platform: ${platforms.join(', ')}`]),
      ...changedTexts(part),
      ...part.stays_behind.flatMap(({ what, name, count }) =>
        what === 'corrected' ? [`left out: ${count} ${LEFT_OUT_WORDS[what]} ${name}`] : [],
      ),
    ]),
    totalsText(
      ['type', 'records', 'read', 'arrived'],
      (unit === null ? [] : totals).map(({ type, count, ...sums }) => [
        type ?? 'all',
        String(count),
        ...[sums.read, sums.accepted].map(money),
      ]),
    ),
    ...problemLines(part, paint),
    escapedLines(comparedInAnswers(part)),
    ...comparisons.map((side) => sideText(side, money, paint)),
    ...journals.map(
      ({ file, chain_head: head, chain_links: links }) =>
        escapeControl(`chain: ${head}, ${counted(links, 'link')}, computed anew (${file})`) + '\n',
    ),
  ].join('');
}

const problemLines = ({ groups, groups_total: all }: VerifiedPart, paint: Paint): readonly string[] =>
  listed(groups, `${all - LINES} more causes (--json lists them)`, (group) => {
    const [line = null] = group.first_lines;
    const more = group.count > 1 ? ` (and ${group.count - 1} more)` : '';
    return problemLine({ ...group, line, attr: null, http_status: null, detail: group.detail + more }, paint);
  });

function totalsText(head: readonly string[], cells: readonly (readonly string[])[]): string {
  if (cells.length === 0) return '';
  return columnsText(
    [head, ...cells].map((row) => row.map(escapeControl)),
    head.map((_, index) => (index === 0 ? 'left' : 'right')),
  );
}

/** `3 CREDIT records that no row explains, together 60.60: sent by the run X` */
function otherText({ run, type, count, sum }: ComparedSide['other_records'][number], money: Money): string {
  const records = `${count} ${type === null ? '' : `${type} `}${count === 1 ? 'record' : 'records'}`;
  const together = sum === null ? '' : `, together ${money(sum)}`;
  const origin = run === null ? 'added by the platform when it moved a date' : `sent by the run ${run}`;
  return `${records} that no row explains${together}: ${origin}`;
}

function sideText(compared: ComparedSide, money: Money, paint: Paint): string {
  const { name, types, differences, errors_total: errors, warnings_total: warnings } = compared;
  const { other_records: others, repeated_rows: repeats, rows_proven: proven, dates_moved: moved } = compared;
  const facts = [
    ...others.map((other) => otherText(other, money)),
    ...(repeats > 0
      ? [`${counted(repeats, 'row')} of equal records: the platform keeps one record of them`]
      : []),
    ...(proven > 0
      ? [
          `${counted(proven, 'row')} that no answer proves ${proven === 1 ? 'is' : 'are'} in the ledger with equal content`,
        ]
      : []),
    ...(moved > 0 ? [`${counted(moved, 'date')} moved into the open statement period`] : []),
  ];
  return [
    escapedLines([`compared with ${`the ledger ${name}`}:`]),
    totalsText(
      ['type', 'rows', 'there', 'read', 'there'],
      types.map(({ type, source, found }) => [
        type ?? 'all',
        String(source.count),
        String(found.count),
        money(source.sum),
        money(found.sum),
      ]),
    ),
    escapedLines(facts),
    ...listed(differences, `${errors + warnings - LINES} more (--json lists up to 1000)`, (each) => {
      const where = each.ledger_line === null ? '' : ` (ledger line ${each.ledger_line})`;
      return problemLine(each, paint) + where;
    }),
    escapedLines([errors > 0 ? counted(errors, 'difference') : equalText(compared)]),
  ].join('');
}

/** The verdict of a comparison without differences. */
export function equalText({ types, other_records: others, repeated_rows: repeats }: ComparedSide): string {
  const rows = repeats + total(types, ({ source }) => source.count);
  if (rows === 0) return 'no row was compared';
  const unexplained = total(others, ({ kind, count }) => (kind === 'run' ? count : 0));
  const more =
    unexplained === 0 ? '' : `; there as well: ${counted(unexplained, 'record')} that no row explains`;
  return `nothing differs in ${counted(rows, 'row')}${more}`;
}

/** Differences, and causes of problems, that get a line of their own. `--json` lists more. */
const LINES = 20;

const listed = <T>(all: readonly T[], more: string, textOf: (each: T) => string): readonly string[] => [
  ...all.slice(0, LINES).map((each) => `${textOf(each)}\n`),
  all.length > LINES ? `… and ${more}\n` : '',
];

/** Digits of a currency behind the point of its major unit, where a resource counts in minor units. */
const MINOR_DIGITS = 2;

/** An exact amount in major units: `12145` in minor units is `121.45`. */
export function inMajorUnits(text: string, unit: 'major' | 'minor'): string {
  if (unit === 'major') return text;
  const [, sign = '', whole = '', rest = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)!;
  const digits = whole.padStart(MINOR_DIGITS + 1, '0');
  return `${sign}${digits.slice(0, -MINOR_DIGITS)}.${digits.slice(-MINOR_DIGITS)}${rest}`;
}
