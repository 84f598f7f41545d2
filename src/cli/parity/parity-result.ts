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

/** What `dataimport parity` found out. */
export interface ParityResult extends Comparison {
  readonly recording: Recording;
  /** By the names of their differences. */
  readonly accepted: ReadonlyMap<string, Accepted>;
  /** Accepted differences that are not there any more. */
  readonly gone: readonly Accepted[];
  /** Flags of `serve` that the twin was started with. */
  readonly switches: readonly string[];
  readonly seeds: readonly string[];
  /** As the command line names it. */
  readonly contract: string | undefined;
}

const COLUMNS = ['endpoint', 'exchanges', 'same', 'differs', 'twin cannot say'] as const;

export const shownParity = shownAs<ParityResult>({
  document: (result, exit) => {
    const { recording, counts, differences, accepted, gone, switches } = result;
    return {
      version: 1,
      recording: recording.file,
      exchanges: recording.exchanges.length,
      disguised: recording.isDisguised,
      switches,
      endpoints: counts.map(({ unsaid, ...rest }) => ({ ...rest, twin_cannot_say: unsaid })),
      differences: differences.map(
        ({ id, endpoint, kind, at, recorded, twin, count, first, rule, switch: flag }) => ({
          id,
          endpoint,
          kind,
          at,
          recorded,
          twin,
          count,
          first_exchange: first,
          rule,
          switch: flag?.text ?? null,
          accepted: accepted.get(id) ?? null,
        }),
      ),
      accepted_and_gone: gone,
      warnings: recording.warnings,
      next: nextOf(result),
      exit: exitDocument(exit),
    };
  },
  text: (result) => {
    const { differences, accepted, gone, recording } = result;
    const open = differences.filter(({ id }) => !accepted.has(id));
    const next = nextOf(result);
    return [
      ...recording.warnings.map((warning) => `warning: ${escapeControl(warning)}\n`),
      `${escapeControl(headOf(result))}\n`,
      columnsText(
        [COLUMNS, ...rowsOf(result)].map((row) => row.map((cell) => escapeControl(cell))),
        ['left', 'right', 'right', 'right', 'right'],
      ),
      ...differences.map((difference) => escapedLines(['', ...linesOf(difference, result)])),
      ...(differences.length === 0 ? [] : ['\n']),
      ...gone.map(({ difference }) => `accepted, and not there any more: ${escapeControl(difference)}\n`),
      `${sentenceOf(open.length, differences.length - open.length)}\n`,
      next === null ? '' : `next: ${escapeControl(next)}\n`,
    ].join('');
  },
});

/** The comparison as a page that needs no network. */
export function parityPage(result: ParityResult): string {
  const { differences, accepted, recording } = result;
  const open = differences.filter(({ id }) => !accepted.has(id)).length;
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
    main: html`<section class="answer ${open === 0 ? 'good' : 'bad'}">
        <p class="sentence">${open === 0 ? '✓' : '✗'} ${sentenceOf(open, differences.length - open)}</p>
        <p class="next">${headOf(result)}</p>
        ${recording.warnings.map((warning) => html`<p class="next">${warning}</p>`)}
      </section>
      ${table([COLUMNS, ...rowsOf(result)])}
      ${differences.length > 0 && table([heads, ...differences.map((each) => cellsOf(each, result))])}`,
  });
}

const headOf = ({ recording: { file, exchanges }, switches }: ParityResult): string =>
  `${file}: ${counted(exchanges.length, 'exchange')}, played to a local platform${switches.length === 0 ? '' : ` with ${switches.join(' ')}`}`;

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

function cellsOf(
  { id, count, rule, switch: flag }: FoundDifference,
  { accepted }: ParityResult,
): readonly string[] {
  const because = accepted.get(id);
  return [id, String(count), rule, flag?.text ?? 'none', because ? `${because.date}: ${because.reason}` : ''];
}

function linesOf(
  { id, count, first, rule, switch: flag }: FoundDifference,
  result: ParityResult,
): readonly string[] {
  const known = result.rules.find(({ name }) => name === rule);
  const because = result.accepted.get(id);
  return [
    id,
    `  exchanges  ${count}, the first is number ${first}`,
    `  rule       ${rule}${known ? ` (${known.authority}): ${known.says}` : ''}`,
    `  serve      ${flag ? flag.text : 'no flag changes this'}`,
    ...(because ? [`  accepted   ${because.date}: ${because.reason}`] : []),
  ];
}

function sentenceOf(open: number, accepted: number): string {
  if (open > 0)
    return `${counted(open, 'difference')}${accepted === 0 ? '' : `, and ${accepted} that ${accepted === 1 ? 'is' : 'are'} accepted`}`;
  return accepted === 0
    ? 'the local platform answers as the recorded one did'
    : `nothing differs but what is accepted (${accepted})`;
}

/** The command that answers with the flags that remove differences; null where no flag does. */
function nextOf({ differences, accepted, recording, seeds, contract }: ParityResult): string | null {
  const open = differences.filter(({ id, switch: flag }) => flag && !accepted.has(id));
  if (open.length === 0) return null;
  const seeded = seeds.map((seed) => ['--seed', seed] as const);
  return commandLine('serve', [], [...seeded, ['--contract', contract], ['--like', recording.file]]);
}
