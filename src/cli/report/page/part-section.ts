import { LEFT_OUT_WORDS } from '../../output/run/run-summary.ts';
import { counted } from '../../output/text/text.ts';
import type { RowCounts } from '../../push/ports/report.ts';
import { codeText, grouped, html, prose, type Html } from '../../output/formats/html.ts';
import { ACTOR_WORDS, type ReportedRun, type ReportPart } from './migration-report.ts';
import { amountOf, factTable, figureTable, resourceWords } from './tables.ts';

/** Runs whose facts are shown. A report of more shards has their number, and the JSON document has all. */
const SHOWN_RUNS = 50;

/** Everything about the records of one content. */
export function partSection(part: ReportPart, isOneOfSeveral: boolean): Html {
  const id = part.runs[0]!.run;
  const title = isOneOfSeveral ? resourceWords(part) : 'Every row is counted once';
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${rowsTable(part)} ${totalsTable(part)} ${unfinishedTable(part)} ${problemsTable(part)}
    ${leftOutTable(part)} ${runsTables(part)}
  </section>`;
}

/** How a row may end, in the order of tables. */
const OUTCOMES: readonly (readonly [end: keyof RowCounts, label: string, meaning: string])[] = [
  ['created', 'Created', 'The platform added the record.'],
  ['existing', 'Already there', 'The platform had the record before, and said so.'],
  [
    'uncompared',
    'Already there, not compared',
    'The platform had the record before, by its refusal alone. Its content was not compared.',
  ],
  ['confirmed', 'Confirmed', 'A person has compared the record with the platform.'],
  ['sent_before', 'Sent before', 'Another journal of the folder says that it brought the record.'],
  [
    'verify',
    'To compare',
    'The platform has the record, and nothing proves that this import added the same content.',
  ],
  ['rejected', 'Refused', 'The platform refused the record.'],
  ['unknown', 'Without an answer', 'The record was sent, and no answer says whether it was applied.'],
  ['not_sent', 'Not sent', 'The record is still waiting.'],
  ['invalid', 'Invalid', 'The row is wrong in the file, so nothing of it was sent.'],
  ['filtered', 'Left out', 'The row was left out on purpose. The causes are listed below.'],
];

function rowsTable({ rows }: ReportPart): Html {
  const shown = OUTCOMES.filter(([end]) => rows[end] > 0);
  return figureTable({
    caption: 'Rows by how they ended',
    head: ['ended as', 'meaning', 'rows'],
    rows: shown.map(([end, label, meaning]) => [label, meaning, grouped(rows[end])]),
    total: ['Rows read', 'the sum of the rows above', grouped(rows.read)],
    texts: 2,
  });
}

function totalsTable(part: ReportPart): Html | null {
  const { control_totals: totals, amount_unit: unit, totals_equal: areEqual } = part;
  if (unit === null) return null;
  const units = unit === 'minor' ? ', in minor units' : '';
  return html`<h3>Control totals</h3>
    ${!areEqual && html`<p><strong>Every record arrived, and yet sums differ. Ask the operator of the platform before anything else is sent.</strong></p>`}
    ${figureTable({
      caption: `Exact sums of the valid records by type${units}`,
      head: ['type', 'records', 'sum in the file', 'sum on the platform'],
      rows: totals.map(({ type, count, read, accepted }) => [
        type ?? 'all',
        grouped(count),
        amountOf(read),
        amountOf(accepted),
      ]),
    })}`;
}

/** How records of an account may have ended, and the columns for it. A column of zeros is left out. */
const UNFINISHED_ENDS = [
  ['arrived', 'arrived'],
  ['rejected', 'refused'],
  ['verify', 'to compare'],
  ['unknown', 'no answer'],
  ['not_sent', 'not sent'],
] as const;

function unfinishedTable({
  accounts_total: all,
  unfinished_accounts: listed,
  unfinished_accounts_total: total,
}: ReportPart): Html | null {
  if (all === 0) return null;
  if (total === 0)
    return html`<h3>Accounts</h3>
      <p>${all === 1 ? 'The account is' : `All ${grouped(all)} accounts are`} complete.</p>`;
  const isNamed = listed.some(({ external_account_number: number }) => number !== null);
  const ends = UNFINISHED_ENDS.filter(([end]) => listed.some((account) => account[end] > 0));
  const rest = total - listed.length;
  return html`<h3>Accounts that did not finish</h3>
    ${figureTable({
      caption: `${grouped(total)} of ${counted(all, 'account')}${rest > 0 ? `, of which the first ${listed.length} are listed` : ''}${isNamed ? '' : '; account numbers are shown with --show-values'}`,
      head: [
        'first record that did not arrive',
        ...(isNamed ? ['supplier', 'account'] : []),
        'why',
        'records',
        ...ends.map(([, label]) => label),
      ],
      rows: listed.map((account) => [
        `${account.file}:${account.line}`,
        ...(isNamed ? [account.import_supplier ?? '', account.external_account_number ?? ''] : []),
        prose(account.why),
        ...[account.records, ...ends.map(([end]) => account[end])].map(grouped),
      ]),
      texts: isNamed ? 4 : 2,
      hasLongTexts: true,
    })}`;
}

function problemsTable({ groups, groups_total: total, problems_total: problems }: ReportPart): Html | null {
  if (groups.length === 0) return null;
  const rest = total - groups.length;
  return html`<h3>Problems by cause</h3>
    ${figureTable({
      caption: `${counted(problems, 'problem')} of ${counted(total, 'cause')}${rest > 0 ? `, of which the ${groups.length} most frequent are listed` : ''}`,
      head: ['cause', 'what it is, and what to do', 'first lines', 'problems'],
      rows: groups.map((group) => [
        html`<code>${codeText(group.code)}</code><br /><span class="quiet"
            >${group.severity}${group.header !== null && html`, ${group.header}`}</span
          >`,
        html`${prose(group.detail)}${group.next !== null && html`<br /><span class="quiet">${ACTOR_WORDS[group.who]}: ${prose(group.next)}</span>`}`,
        html`${group.file}${group.first_lines.length > 0 && html`:${group.first_lines.join(', ')}${group.count > group.first_lines.length && ' …'}`}`,
        grouped(group.count),
      ]),
      texts: 3,
    })}`;
}

function leftOutTable({ left_out: causes }: ReportPart): Html | null {
  if (causes.length === 0) return null;
  return html`<h3>Rows left out</h3>
    ${figureTable({
      caption: 'Rows that were left out on purpose, by cause',
      head: ['left out', 'rows'],
      rows: causes.map(({ reason, place, count }) => [
        `${LEFT_OUT_WORDS[reason]}${place === null ? '' : ` ${place}`}`,
        grouped(count),
      ]),
    })}`;
}

function runsTables({ runs }: ReportPart): Html {
  const rest = runs.length - SHOWN_RUNS;
  return html`<h3>What was run</h3>
    ${runs.slice(0, SHOWN_RUNS).map(runTable)}
    ${rest > 0 && html`<p>${counted(rest, 'more run')}; the JSON document has all of them.</p>`}`;
}

function runTable(run: ReportedRun): Html {
  const { shard, contract, chain_head: head, options } = run;
  const file = ({ name, bytes, sha256 }: ReportedRun['sources'][number]): Html =>
    html`${name}, ${grouped(bytes)} bytes<br />SHA-256 <code class="hash">${sha256}</code>`;
  const given = <T>(value: T | null, fact: (given: T) => readonly [string, Html | string]) =>
    value === null ? [] : [fact(value)];
  return factTable(`Run ${run.run}`, [
    ...given(shard, (part) => ['shard', part]),
    ['platform', html`<code>${run.target}</code>${run.platform_name !== null && ` (${run.platform_name})`}`],
    ...given(run.run_by, (name) => ['last run by', name]),
    ...run.rejects_files.map((name): readonly [string, string] => ['rejected rows', name]),
    ['begun', `${run.begun_at.replace('T', ' ').replace('Z', ' UTC')}, by version ${run.tool_version}`],
    ['ended', `exit ${run.exit.code} ${run.exit.name}${run.state === 'done' ? '' : ` (${run.state})`}`],
    ...given(run.end_reason, ({ code, detail }) => [
      'ended early, because',
      html`${detail}<br /><code class="quiet">${code}</code>`,
    ]),
    ...run.sources.map((source): readonly [string, Html] => ['source', file(source)]),
    ...run.inputs.map((input): readonly [string, Html] => ['mapping or table', file(input)]),
    ...given(contract, ({ name, sha256 }) => [
      'contract',
      html`${name}<br />SHA-256 <code class="hash">${sha256}</code>`,
    ]),
    [
      'options',
      html`<code
        >${Object.entries(options)
          .map(([name, value]) => `${name}: ${String(value)}`)
          .join(', ')}</code
      >`,
    ],
    ['head of the chain', html`<code class="hash">${head}</code>`],
  ]);
}
