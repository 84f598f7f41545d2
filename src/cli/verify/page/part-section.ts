import { behindRows } from '../../output/run/look-text.ts';
import { counted } from '../../output/text/text.ts';
import type { RowCounts } from '../../push/ports/report.ts';
import { grouped, html, prose, type Html } from '../../output/formats/html.ts';
import { ACTOR_WORDS, type ComparedSide, type VerifiedPart } from '../verification-schema.ts';
import { missingRows } from '../answer.ts';
import { figureTable, resourceWords } from './tables.ts';

/** The details of the records of one resource. */
export function partSection(part: VerifiedPart, isOneOfSeveral: boolean): Html {
  const id = part.resource;
  const title = isOneOfSeveral ? `Details of ${resourceWords(part)}` : 'Details';
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${rowsTable(part)} ${part.comparisons.map(differencesTable)} ${totalsTable(part)} ${accountsText(part)}
    ${problemsTable(part)} ${staysBehind(part)} ${filesTable(part)}
  </section>`;
}

/** Differences that a page lists. The JSON document has more. */
const SHOWN_DIFFERENCES = 50;

function differencesTable(side: ComparedSide): Html | null {
  const { name, differences, errors_total: errors, warnings_total: warnings } = side;
  if (differences.length === 0) return null;
  const shown = differences.slice(0, SHOWN_DIFFERENCES);
  return html`<h3>Differences</h3>
    ${figureTable({
      caption: `${counted(errors + warnings, 'difference')} from ${name}${shown.length < errors + warnings ? `, of which the first ${shown.length} are listed` : ''}`,
      head: ['row', 'what differs', 'line of the ledger'],
      rows: shown.map(({ file, line, detail, ledger_line: of }) => [
        file === null ? 'no row' : `${file}:${line}`,
        prose(detail),
        of === null ? '' : grouped(of),
      ]),
      texts: 2,
    })}`;
}

const OUTCOMES: readonly (readonly [end: keyof RowCounts | 'changed', label: string, meaning: string])[] = [
  ['created', 'Created', 'The platform answered that it has added the record.'],
  ['existing', 'Already there', 'The platform had it before, as a ledger says, or an answer to the request.'],
  ['uncompared', 'Already there, not compared', 'The platform had it before, as its refusal says.'],
  ['confirmed', 'Confirmed', 'A person has compared the record with the platform.'],
  ['sent_before', 'Sent before', 'Another journal of the folder says that it brought the record.'],
  ['verify', 'To compare', 'The platform has the record, or may have it, and nothing proves its content.'],
  ['rejected', 'Refused', 'The platform refused the record.'],
  ['unknown', 'Without an answer', 'No answer says whether the record was applied.'],
  ['not_sent', 'Not sent', 'The record is still waiting.'],
  ['changed', 'Changed', 'The platform has the record with other values, or on another account.'],
  ['invalid', 'Invalid', 'The row is wrong in the file, so nothing of it was sent.'],
  ['filtered', 'Left out', 'The row was left out on purpose. The causes are listed below.'],
];

function rowsTable({ rows, changed }: VerifiedPart): Html {
  const ends = { ...rows, invalid: rows.invalid - changed, changed };
  return figureTable({
    caption: 'Rows by how they ended',
    head: ['ended as', 'meaning', 'rows'],
    rows: OUTCOMES.filter(([end]) => ends[end] > 0).map(([end, label, meaning]) => [
      label,
      meaning,
      grouped(ends[end]),
    ]),
    total: ['Rows read', '', grouped(rows.read)],
    texts: 2,
  });
}

function totalsTable({ rows, totals_equal: areEqual }: VerifiedPart): Html | null {
  if (missingRows(rows) > 0 || areEqual) return null;
  return html`<p>
    <strong
      >Every record arrived, and yet sums differ. Ask the operator of the platform before anything else is
      sent.</strong
    >
  </p>`;
}

function accountsText({ accounts_total: all, accounts_unfinished: open }: VerifiedPart): Html | null {
  return all === 0 ? null : html`<p>Complete: ${grouped(all - open)} of ${counted(all, 'account')}.</p>`;
}

function problemsTable({ groups, groups_total: total, problems_total: problems }: VerifiedPart): Html | null {
  if (groups.length === 0) return null;
  const rest = total - groups.length;
  return html`<h3>Problems by cause</h3>
    ${figureTable({
      caption: `${counted(problems, 'problem')} of ${counted(total, 'cause')}${rest > 0 ? `, of which the ${groups.length} most frequent are listed` : ''}`,
      head: ['cause', 'what it is, and what to do', 'first lines', 'problems'],
      rows: groups.map((group) => [
        html`<code>${group.code}</code><br /><span class="quiet"
            >${group.severity}${group.header !== null && html`, ${group.header}`}</span
          >`,
        html`${prose(group.detail)}${group.next !== null && html`<br /><span class="quiet">${ACTOR_WORDS[group.who]}: ${prose(group.next)}</span>`}`,
        html`${group.file}${group.first_lines.length > 0 && html`:${group.first_lines.join(', ')}${group.count > group.first_lines.length && ' …'}`}`,
        grouped(group.count),
      ]),
      texts: 3,
    })}`;
}

/** What is in the files and was never to be sent. No count of what arrived misses it, so a person has to look at it. */
function staysBehind({ stays_behind: behind }: VerifiedPart): Html | null {
  if (behind.length === 0) return null;
  const fields = behind.filter(({ what }) => what === 'field').map(({ name }) => name);
  return html`<h3>What stays behind</h3>
    ${figureTable({
      caption: 'Columns that feed no field, and rows that were left out',
      head: ['column or rows', 'has', 'cells or rows', 'sum'],
      rows: behindRows(behind).map(([label, has, ...figures]) => [label!, has!, ...figures.map(grouped)]),
      texts: 2,
    })}
    ${fields.length > 0 && html`<p>Fields that no record has: ${fields.join(', ')}</p>`}`;
}

/** The bytes that were read, so that anybody can say later whether a file is the same. */
function filesTable({ files, inputs }: VerifiedPart): Html {
  const linesOf = (what: string, listed: VerifiedPart['files']) =>
    listed.map(({ name, bytes, sha256 }) => [
      name,
      what,
      html`<code class="hash">${sha256}</code>`,
      grouped(bytes),
    ]);
  return html`<h3>What was read</h3>
    ${figureTable({
      caption: 'Files',
      head: ['name', 'what', 'SHA-256 of its bytes', 'bytes'],
      rows: [...linesOf('file', files), ...linesOf('mapping or table', inputs)],
      texts: 3,
    })}`;
}
