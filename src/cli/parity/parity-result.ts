import { commandLine } from '../../core/command-line.ts';
import { total } from '../../core/values/counts.ts';
import { html, htmlPage, type Html } from '../output/formats/html.ts';
import { shownAs } from '../output/formats/result-formats.ts';
import { exitDocument } from '../output/json.ts';
import { columnsText } from '../output/text/table.ts';
import { counted, escapeControl, escapedLines } from '../output/text/text.ts';
import { PAGE_STYLE } from '../report/page/page-style.ts';
import type { Recording } from '../recording/recording.ts';
import type { Accepted } from './accepted.ts';
import type { Comparison, FoundDifference } from './compared.ts';
import { isStricter } from './flag-of-rule.ts';
import { UNSAID } from './play.ts';

/** What `dataimport parity` found out. */
export interface ParityResult extends Comparison {
  readonly recording: Recording;
  /** By the names of their differences. */
  readonly accepted: ReadonlyMap<string, Accepted>;
  /** Accepted differences that are not there any more. */
  readonly gone: readonly Accepted[];
  /** Flags of `serve` that the twin was started with. */
  readonly given: readonly string[];
  readonly seeds: readonly string[];
  /** As the command line names it. */
  readonly contract: string | undefined;
}

const COLUMNS = ['endpoint', 'exchanges', 'same', 'differs', 'twin cannot say'] as const;

export const shownParity = shownAs<ParityResult>({
  document: (result, exit) => {
    const { recording, counts, differences, accepted, gone, given } = result;
    return {
      version: 1,
      recording: recording.file,
      exchanges: recording.exchanges.length,
      disguised: recording.isDisguised,
      flags: given,
      endpoints: counts.map(({ unsaid, ...rest }) => ({ ...rest, twin_cannot_say: unsaid })),
      cannot_say: reasonsOf(result).map(([exchanges, reason]) => ({ reason, exchanges })),
      differences: differences.map(
        ({ id, endpoints, kind, at, recorded, twin, count, items, first, rule, flag }) => ({
          id,
          endpoints,
          kind,
          at,
          recorded,
          twin,
          count,
          items,
          first_exchange: first,
          rule,
          flag: flag ?? null,
          accepted: accepted.get(id) ?? null,
        }),
      ),
      accepted_and_gone: gone,
      warnings: warningsOf(result),
      next: nextOf(result),
      exit: exitDocument(exit),
    };
  },
  text: (result) => {
    const { differences, gone } = result;
    const next = nextOf(result);
    return [
      ...warningsOf(result).map((warning) => `warning: ${escapeControl(warning)}\n`),
      `${escapeControl(headOf(result))}\n`,
      columnsText(
        [COLUMNS, ...rowsOf(result)].map((row) => row.map((cell) => escapeControl(cell))),
        ['left', 'right', 'right', 'right', 'right'],
      ),
      ...unsaidLines(result).map((line) => `${line}\n`),
      ...differences.map((difference) => escapedLines(['', ...linesOf(difference, result)])),
      ...(differences.length === 0 ? [] : ['\n']),
      ...gone.map(({ difference }) => `accepted, and not there any more: ${escapeControl(difference)}\n`),
      `${sentenceOf(result)}\n`,
      next === null ? '' : `next: ${escapeControl(next)}\n`,
    ].join('');
  },
});

/** The comparison as a page that needs no network. */
export function parityPage(result: ParityResult): string {
  const { differences } = result;
  const isGood = isSame(result);
  const table = (rows: readonly (readonly (string | Html)[])[]): Html =>
    html`<table>
      ${rows.map(
        (row, index) =>
          html`<tr>
            ${row.map((cell) => (index === 0 ? html`<th>${cell}</th>` : html`<td>${cell}</td>`))}
          </tr>`,
      )}
    </table>`;
  const heads = ['difference', 'exchanges', 'rule', 'flag of serve', 'accepted'];
  return htmlPage(`Parity report: ${result.recording.file}`, PAGE_STYLE, {
    main: html`<section class="answer ${isGood ? 'good' : 'bad'}">
        <p class="sentence">${isGood ? '✓' : '✗'} ${sentenceOf(result)}</p>
        <p class="next">${headOf(result)}</p>
        ${[...warningsOf(result), ...unsaidLines(result)].map((line) => html`<p class="next">${line}</p>`)}
      </section>
      ${table([COLUMNS, ...rowsOf(result)])}
      ${differences.length > 0 && table([heads, ...differences.map((each) => cellsOf(each, result))])}`,
  });
}

const headOf = ({ recording: { file, exchanges }, given }: ParityResult): string =>
  `${file}: ${counted(exchanges.length, 'exchange')}, played to a local platform${given.length === 0 ? '' : ` with ${given.join(' ')}`}`;

const rowsOf = ({ counts }: ParityResult): readonly (readonly string[])[] =>
  [
    ...counts,
    {
      endpoint: 'all',
      exchanges: total(counts, ({ exchanges }) => exchanges),
      same: total(counts, ({ same }) => same),
      differs: total(counts, ({ differs }) => differs),
      unsaid: total(counts, ({ unsaid }) => unsaid),
    },
  ].map(({ endpoint, exchanges, same, differs, unsaid }) =>
    [endpoint, exchanges, same, differs, unsaid].map(String),
  );

function cellsOf(difference: FoundDifference, { accepted }: ParityResult): readonly string[] {
  const { id, rule } = difference;
  const because = accepted.get(id);
  return [
    id,
    occurrenceOf(difference),
    rule,
    flagOf(difference),
    because ? `${because.date}: ${because.reason}` : '',
  ];
}

function linesOf(difference: FoundDifference, result: ParityResult): readonly string[] {
  const { id, rule, endpoints } = difference;
  const known = result.rules.find(({ name }) => name === rule);
  const because = result.accepted.get(id);
  return [
    id,
    `  exchanges  ${occurrenceOf(difference)}${endpoints.length > 1 ? `, of ${endpoints.join(', ')}` : ''}`,
    `  rule       ${rule}${known ? ` (${known.authority}): ${known.says}` : ''}`,
    `  serve      ${flagOf(difference)}`,
    ...(because ? [`  accepted   ${because.date}: ${because.reason}`] : []),
  ];
}

const occurrenceOf = ({ count, items, first }: FoundDifference): string =>
  `${count}, the first is number ${first}${items > count ? `; ${items} items in them` : ''}`;

function flagOf({ flag }: FoundDifference): string {
  if (flag === undefined) return 'no flag fits';
  return isStricter(flag) ? `${flag}, which may refuse more: see what it does to the other answers` : flag;
}

const openOf = ({ differences, accepted }: ParityResult): readonly FoundDifference[] =>
  differences.filter(({ id }) => !accepted.has(id));

const comparedIn = ({ counts }: ParityResult): number => total(counts, ({ same, differs }) => same + differs);

/** Endpoints of the recording of which no exchange could be compared. */
const uncompared = ({ counts }: ParityResult): readonly string[] =>
  counts.filter(({ same, differs }) => same + differs === 0).map(({ endpoint }) => endpoint);

/** Whether tokens are all that could be compared. */
const isEmpty = ({ counts }: ParityResult): boolean =>
  counts.every(({ endpoint, same, differs }) => endpoint === 'token' || same + differs === 0);

/** Whether exchanges of every endpoint could be compared, and nothing differs but what is accepted. */
export const isSame = (result: ParityResult): boolean =>
  openOf(result).length === 0 &&
  !isEmpty(result) &&
  uncompared(result).length === 0 &&
  !result.unsaid.includes('unseeded');

/** What makes the comparison worth less. */
function warningsOf(result: ParityResult): readonly string[] {
  const { recording, seeds, unsaid } = result;
  const blind = unsaid.filter((reason) => reason === 'unseeded').length;
  return [
    // Where a seed cannot be read as the recording has its names, the recording says why.
    ...(blind === 0 || seeds.length > 0
      ? []
      : [
          `${counted(blind, 'exchange')} cannot be compared without a seed that says what the recorded platform has: ${parityCommand({ ...result, seeds: ['seed.yaml'] })}`,
        ]),
    ...recording.warnings,
  ];
}

/** How many exchanges the twin cannot say anything of, by reason. */
const reasonsOf = ({ unsaid }: ParityResult): readonly (readonly [exchanges: number, reason: string])[] =>
  [...Map.groupBy(unsaid, (reason) => reason)].map(([reason, each]) => [each.length, UNSAID[reason]]);

const unsaidLines = (result: ParityResult): readonly string[] =>
  reasonsOf(result).map(
    ([exchanges, reason]) => `twin cannot say: ${counted(exchanges, 'exchange')}: ${reason}`,
  );

function sentenceOf(result: ParityResult): string {
  const open = openOf(result).length;
  const accepted = result.differences.length - open;
  const unsaid = result.unsaid.length;
  const none = uncompared(result);
  const among = none.length === 0 || isEmpty(result) ? '' : `, among them all of ${none.join(', ')}`;
  const rest = unsaid === 0 ? '' : `; ${counted(unsaid, 'exchange')} could not be compared${among}`;
  if (open > 0)
    return `${counted(open, 'difference')}${accepted === 0 ? '' : `, and ${accepted} that ${accepted === 1 ? 'is' : 'are'} accepted`}${rest}`;
  if (isEmpty(result)) return `nothing was compared${comparedIn(result) > 0 ? ' but tokens' : ''}${rest}`;
  if (accepted > 0) return `nothing differs but what is accepted (${accepted})${rest}`;
  return `the local platform answers ${counted(comparedIn(result), 'exchange')} as the recorded one did${rest}`;
}

/** The command that plays the recording with the flags that are named, too; null where none is. */
function nextOf(result: ParityResult): string | null {
  const named = openOf(result).flatMap(({ flag }) => flag ?? []);
  const names = named.map((flag) => flag.split(' ')[0]!);
  const isKept = (flag: string): boolean =>
    /^--(?:require|rule) /.test(flag) || !names.includes(flag.split(' ')[0]!);
  const flags = new Set([...result.given.filter(isKept), ...named]);
  return named.length === 0 ? null : parityCommand(result, [...flags]);
}

function parityCommand({ recording, seeds, contract }: ParityResult, flags: readonly string[] = []): string {
  const files = [...seeds.map((seed) => ['--seed', seed] as const), ['--contract', contract] as const];
  return [commandLine('parity', [recording.file], files), ...flags].join(' ');
}
