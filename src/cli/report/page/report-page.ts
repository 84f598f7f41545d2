import { Decimal, distance, sum, withPlaces } from '../../../core/values/decimal.ts';
import { total } from '../../../core/values/counts.ts';
import { arrivedRows } from '../../push/ports/report.ts';
import {
  commandText,
  countedInGroups,
  grouped,
  groupedIn,
  html,
  htmlPage,
  prose,
  type Html,
} from '../../output/formats/html.ts';
import { ACTOR_WORDS, type MigrationReport, type ReportPart } from './migration-report.ts';
import { PAGE_STYLE } from './page-style.ts';
import { partSection } from './part-section.ts';
import { figureTable, resourceWords } from './tables.ts';

/** The report as one page, which needs no network and no script. */
export function reportPage(report: MigrationReport): string {
  const { parts, notes } = report;
  return htmlPage(`Import report: ${parts.map(resourceWords).join(', ')}`, PAGE_STYLE, {
    header: html`<p>${headingOf(report)}</p>
      <p>Made ${momentOf(report.made_at)} by dataimport ${report.tool_version}</p>`,
    main: html`${answerSection(report)} ${overview(report)} ${stepsSection(report)}
    ${decisionsSection(report)} ${parts.map((part) => partSection(part, parts.length > 1))}
    ${
      notes.length > 0 &&
      html`<section aria-labelledby="notes">
        <h2 id="notes">Notes</h2>
        ${notes.map((note) => html`<p>${note}</p>`)}
      </section>`
    }
    ${signing(report)}`,
  });
}

/** \`2026-11-21T10:15:02Z\` as \`2026-11-21 10:15:02 UTC\`. */
const momentOf = (instant: string): string => instant.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');

/** The answers to a reader's first questions, each with a link to the rest. */
function answerSection({ answer, exit, parts }: MigrationReport): Html {
  const isGood = answer.everything_arrived;
  const steps = answer.to_do;
  const left = steps.length === 1 ? 'One step is left to do' : `${steps.length} steps are left to do`;
  const people = [...Map.groupBy(steps, ({ who }) => who)].map(
    ([who, own]) => `${ACTOR_WORDS[who].toLowerCase()} (${own.length})`,
  );
  const next =
    steps.length > 0
      ? html`<a href="#steps">${left}</a>, by ${people.join(', ')}.`
      : html`Nothing is left to do.`;
  const decisions = total(parts, (part) => part.decisions.length);
  return html`<section class="answer ${isGood ? 'good' : 'bad'}" aria-label="Answer">
    <p class="sentence">${isGood ? '✓' : '✗'} ${groupedIn(answer.sentence)}</p>
    <p class="next">${next} <span class="quiet">Exit ${exit.code} ${exit.name}</span></p>
    <p class="next">${comparedText(parts)}</p>
    ${decisions > 0 && html`<p class="next"><a href="#decisions">${countedInGroups(decisions, 'decision')} of people</a> ${decisions === 1 ? 'is' : 'are'} behind these figures.</p>`}
  </section>`;
}

/** What the files were compared with, because the figures are as good as that. */
function comparedText(parts: readonly ReportPart[]): string {
  const found = parts.flatMap(({ compared }) => compared ?? []);
  if (found.length === 0) return 'The files were not compared with what arrived.';
  const sides = [...new Set(found.flatMap((compared) => compared.with))];
  const names = sides.map((side) => (side === 'runs' ? 'what their runs recorded' : side));
  const differences = total(found, (compared) => compared.differences ?? 0);
  const isChanged = found.some((compared) => compared.differences === null);
  const rest = found.length < parts.length ? ` ${parts.length - found.length} of the files were not.` : '';
  return `The files were compared with ${names.join(' and ')}: ${isChanged ? 'files have changed' : countedInGroups(differences, 'difference')}.${rest}`;
}

function stepsSection({ answer: { to_do: steps } }: MigrationReport): Html | null {
  if (steps.length === 0) return null;
  return html`<section aria-labelledby="steps">
    <h2 id="steps">What to do now</h2>
    <ol class="steps">
      ${steps.map(
        ({ who, what, command }) =>
          html`<li>
            <p class="who">${ACTOR_WORDS[who]}</p>
            <p>${prose(groupedIn(what))}</p>
            ${command !== null && commandText(command)}
          </li>`,
      )}
    </ol>
  </section>`;
}

/** `supplier ACME, platform live (https://…), contract acme, run by lee, sent from … to …` */
function headingOf({ parts, sending }: MigrationReport): string {
  const runs = parts.flatMap((part) => part.runs);
  const each = (name: string, values: readonly (string | null)[]): readonly string[] => {
    const known = [...new Set(values.filter((value) => value !== null))];
    return known.length === 0 ? [] : [`${name} ${known.join(' and ')}`];
  };
  return [
    ...each(
      'supplier',
      parts.flatMap(({ suppliers }) => suppliers),
    ),
    ...each(
      'platform',
      runs.map(({ target, platform_name: name }) => (name === null ? target : `${name} (${target})`)),
    ),
    ...each(
      'contract',
      runs.map(({ contract }) => contract && contract.name),
    ),
    ...each(
      'run by',
      runs.map(({ run_by: name }) => name),
    ),
    ...(sending === null
      ? []
      : [`sent from ${momentOf(sending.first_request_at)} to ${momentOf(sending.last_answer_at)}`]),
  ].join(', ');
}

/** All parts beside each other: what is missing, and its sum. */
function overview({ parts, rows }: MigrationReport): Html {
  const missing = (each: typeof rows): number => each.read - each.filtered - arrivedRows(each);
  const counts = (each: typeof rows) => [each.read, arrivedRows(each)].map(grouped);
  const hasAmounts = parts.some(({ amount_unit: unit }) => unit !== null);
  const hasDifferences = parts.some(({ compared }) => compared !== null);
  const areWhole = parts.every(isWhole);
  const line = (part: ReportPart) => {
    const text = missingSum(part);
    return [
      resourceWords(part),
      // First, so that a telephone shows it without scrolling.
      grouped(missing(part.rows)),
      ...(hasAmounts ? [text === null ? '–' : `${text}${isWhole(part) ? '' : ' and more'}`] : []),
      ...counts(part.rows),
      ...(hasDifferences ? [differencesText(part)] : []),
    ];
  };
  const lines = parts.map(line);
  return html`<section aria-labelledby="overview">
    <h2 id="overview">All files</h2>
    ${figureTable({
      caption: `Rows of each file${areWhole ? '' : '; a missing sum has no invalid rows'}`,
      head: [
        'file',
        'missing',
        ...(hasAmounts ? ['missing sum'] : []),
        'read',
        'arrived',
        ...(hasDifferences ? ['differences'] : []),
      ],
      rows: lines,
      ...(parts.length > 1 && {
        total: [
          'all',
          grouped(missing(rows)),
          ...(hasAmounts ? [''] : []),
          ...counts(rows),
          ...(hasDifferences ? [''] : []),
        ],
      }),
    })}
  </section>`;
}

/** Whether no amount of an invalid row is missing, too. */
const isWhole = ({ amount_unit: unit, rows }: ReportPart): boolean => unit === null || rows.invalid === 0;

/** `518.30 of 214,924.74`: the amounts of valid records that are not on the platform. */
function missingSum({ control_totals: totals, amount_unit: unit }: ReportPart): string | null {
  if (unit === null) return null;
  const of = (side: 'read' | 'accepted') => totals.map((each) => Decimal.of(each[side] ?? '0'));
  const read = sum(of('read'));
  const figure = `${grouped(withPlaces(distance(read, sum(of('accepted'))), read.places))} of ${grouped(read.text)}`;
  return unit === 'minor' ? `${figure} (minor units)` : figure;
}

function differencesText({ compared }: ReportPart): string {
  if (compared === null) return 'not compared';
  return compared.differences === null ? 'files have changed' : grouped(compared.differences);
}

/** What people decided, because a person signs the page. */
function decisionsSection({ parts }: MigrationReport): Html | null {
  const decisions = parts.flatMap((part) => part.decisions.map((each) => ({ ...each, of: part.resource })));
  if (decisions.length === 0) return null;
  return html`<section aria-labelledby="decisions">
    <h2 id="decisions">Decided by people</h2>
    <ul>
      ${decisions.map(
        ({ of, what, by, at }) =>
          html`<li>${of}: ${what}${by !== null && `, by ${by}`}${at !== null && `, ${momentOf(at)}`}</li>`,
      )}
    </ul>
  </section>`;
}

function signing({ answer, parts }: MigrationReport): Html {
  const runs = parts.flatMap((part) => part.runs);
  return html`<section class="signing" aria-labelledby="signing">
    <h2 id="signing">Signature</h2>
    <p>
      ${groupedIn(answer.sentence)} ${runs.length === 1 ? 'Run' : 'Runs'}:
      ${runs.slice(0, 20).map(({ run }, index) => html`${index > 0 && ', '}<code>${run}</code>`)}${runs.length > 20 && ` and ${runs.length - 20} more`}.
    </p>
    <div class="sign">
      <div>Name</div>
      <div>Date</div>
      <div>Signature</div>
    </div>
  </section>`;
}
