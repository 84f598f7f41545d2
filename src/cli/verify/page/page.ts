import { compareDecimals, Decimal, distance, withPlaces } from '../../../core/values/decimal.ts';
import { countedInGroups, grouped, html, htmlPage, prose, type Html } from '../../output/formats/html.ts';
import { cohortWords } from '../../output/run/cohort-result.ts';
import { counted } from '../../output/text/text.ts';
import { arrivedRows } from '../../push/ports/report.ts';
import { missingRows } from '../answer.ts';
import { changedTexts, comparedInAnswers, equalText, inMajorUnits } from '../text.ts';
import { ACTOR_WORDS, type Verification, type VerifiedPart } from '../verification-schema.ts';
import { partSection } from './part-section.ts';
import { figureTable, resourceWords } from './tables.ts';

/** What was found, as one page to be read and signed, which needs no network and no script. */
export function verificationPage(found: Verification): string {
  const { parts } = found;
  return htmlPage(`${isRehearsal(found) ? 'REHEARSAL: ' : ''}${nameOf(found)}`, PAGE_STYLE, {
    header: html`<p>${headingOf(found)}</p>
      <p>Made ${momentOf(found.made_at)} by dataimport ${found.tool_version}</p>`,
    main: html`${answerSection(found)} ${overview(found)} ${stepsSection(found)} ${signing(found)}
    ${parts.map((part) => partSection(part, parts.length > 1))} ${decisionsSection(found)}`,
  });
}

/** \`2026-11-21T10:15:02Z\` as \`2026-11-21 10:15:02 UTC\`. */
const momentOf = (instant: string): string => instant.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');

const nameOf = ({ cohort, parts }: Verification): string =>
  cohort === null
    ? `Import of ${parts.map(resourceWords).join(', ')}`
    : `Import of the ${cohortWords(cohort)}`;

const journalsOf = ({ parts }: Verification) => parts.flatMap(({ journals }) => journals);

/** Whether a local platform got the records, as a journal says, or, without any, the ledger that they were compared with. */
const isRehearsal = (found: Verification): boolean =>
  journalsOf(found).length === 0 || journalsOf(found).some((journal) => journal.is_local);

/** `supplier ACME, platform https://…, run by lee, begun 2026-11-21 10:15:02 UTC` */
function headingOf(found: Verification): string {
  const { parts } = found;
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
      isRehearsal(found) ? 'local platform' : 'platform',
      journalsOf(found).map(({ target }) => target),
    ),
    ...each(
      'run by',
      runs.map((run) => run.run_by),
    ),
    ...each(
      'begun',
      runs
        .map((run) => momentOf(run.begun_at))
        .toSorted()
        .slice(0, 1),
    ),
  ].join(', ');
}

function answerSection({ answer, parts }: Verification): Html {
  const steps = answer.to_do;
  const people = [...Map.groupBy(steps, ({ who }) => who)].map(
    ([who, own]) => `${ACTOR_WORDS[who].toLowerCase()} (${own.length})`,
  );
  const next =
    steps.length > 0
      ? html`<a href="#steps"
            >${steps.length === 1 ? 'One step is left to do' : `${steps.length} steps are left to do`}</a
          >, by ${people.join(', ')}.`
      : html`Nothing is left to do.`;
  const compared = parts.flatMap((part) => part.comparisons.map((side) => ({ part, side })));
  const since = parts.flatMap((part) => [...changedTexts(part), ...comparedInAnswers(part)]);
  return html`<section class="answer ${answer.everything_arrived ? 'good' : 'bad'}" aria-label="Answer">
    <p class="sentence">${answer.everything_arrived ? '✓' : '✗'} ${answer.sentence}</p>
    <p class="next">${next}</p>
    ${since.map((sentence) => html`<p class="next">${sentence}</p>`)}
    ${compared.map(
      ({ part, side }) =>
        html`<p class="next">
          The ${part.resource} compared with ${side.name}:
          ${side.errors_total > 0 ? countedInGroups(side.errors_total, 'difference') : equalText(side)}.
        </p>`,
    )}
  </section>`;
}

/** What arrived of what was expected, by type, with the sums. Types are not added up: a charge and a payment are no sum. */
function overview({ parts }: Verification): Html {
  const hasAmounts = parts.some(({ amount_unit: unit }) => unit !== null);
  return html`<section aria-labelledby="overview">
    <h2 id="overview">What arrived</h2>
    ${figureTable({
      caption: `Rows that were to be imported${parts.some(isWithoutInvalid) ? '; sums are those of valid rows' : ''}`,
      head: [
        'records',
        'expected',
        'arrived',
        'missing',
        ...(hasAmounts ? ['sum expected', 'sum arrived', 'difference'] : []),
      ],
      rows: parts.flatMap((part) => [totalLine(part, hasAmounts), ...(hasAmounts ? typeLines(part) : [])]),
    })}
  </section>`;
}

const isWithoutInvalid = ({ amount_unit: unit, rows, changed }: VerifiedPart): boolean =>
  unit !== null && rows.invalid > changed;

function totalLine(part: VerifiedPart, hasAmounts: boolean): readonly string[] {
  const { rows, control_totals: totals } = part;
  const counts = [rows.read - rows.filtered, arrivedRows(rows), missingRows(rows)].map(grouped);
  const sums = totals.length === 1 && totals[0]!.type === null ? sumsOf(part, totals[0]!) : ['', '', ''];
  return [resourceWords(part), ...counts, ...(hasAmounts ? sums : [])];
}

function typeLines(part: VerifiedPart): readonly (readonly string[])[] {
  return part.control_totals
    .filter(({ type }) => type !== null)
    .map((each) => [`– ${each.type!}`, grouped(each.count), '', '', ...sumsOf(part, each)]);
}

function sumsOf(
  { amount_unit: unit }: VerifiedPart,
  { read, accepted }: VerifiedPart['control_totals'][number],
): readonly string[] {
  if (unit === null || read === null) return ['', '', ''];
  const expected = Decimal.of(read);
  const arrived = Decimal.of(accepted ?? '0');
  const sign = compareDecimals(arrived, expected) > 0 ? '-' : '';
  return [read, arrived.text, sign + withPlaces(distance(expected, arrived), expected.places)].map((text) =>
    grouped(inMajorUnits(text, unit)),
  );
}

function stepsSection({ answer: { to_do: steps } }: Verification): Html | null {
  if (steps.length === 0) return null;
  return html`<section aria-labelledby="steps">
    <h2 id="steps">What to do now</h2>
    <ol class="steps">
      ${steps.map(
        ({ who, what, command }) =>
          html`<li>
            <p class="who">${ACTOR_WORDS[who]}</p>
            <p>${prose(what)}</p>
            ${command !== null && html`<pre><code>${command}</code></pre>`}
          </li>`,
      )}
    </ol>
  </section>`;
}

/** What people decided, because a person signs the page. */
function decisionsSection({ parts }: Verification): Html | null {
  const decisions = parts.flatMap((part) => part.decisions.map((each) => ({ ...each, of: part.resource })));
  if (decisions.length === 0) return null;
  return html`<section aria-labelledby="decisions">
    <h2 id="decisions">Decisions</h2>
    <ul>
      ${decisions.map(
        ({ of, what, by, at }) =>
          html`<li>${of}: ${what}${by !== null && `, by ${by}`}${at !== null && `, ${momentOf(at)}`}</li>`,
      )}
    </ul>
  </section>`;
}

function signing(found: Verification): Html {
  const { answer, parts } = found;
  const means = isRehearsal(found)
    ? 'This was a rehearsal: a local platform got the records, and no other one did.'
    : 'A record has arrived when an answer of the platform has accepted it. The platform cannot be asked for its records, so nobody has read them there.';
  const decisions = parts.flatMap((part) => part.decisions).length;
  return html`<section class="signing" aria-labelledby="signing">
    <h2 id="signing">Signature</h2>
    <p>${means}</p>
    <p>
      ${answer.sentence}
      ${decisions > 0 && html`<a href="#decisions">${countedInGroups(decisions, 'decision')}</a> ${decisions === 1 ? 'is' : 'are'} behind these figures.`}
    </p>
    ${journalsOf(found).map(
      ({ file, chain_head: head, chain_links: links }) =>
        html`<p class="quiet">
          Head of the chain of ${file}, ${counted(links, 'link')}: <code class="hash">${head}</code>
        </p>`,
    )}
    <div class="sign">
      <div>Name</div>
      <div>Date</div>
      <div>Signature</div>
    </div>
  </section>`;
}

/** The only style of the page. It has no colour but those of its palettes. */
const PAGE_STYLE = `
:root {
  color-scheme: light;
  --page: #ffffff; --soft: #f5f6f8; --line: #d5d9df; --text: #1c2430; --quiet: #566072;
  --good: #17663a; --good-soft: #e8f4ec; --bad: #a3261b; --bad-soft: #fcedeb; --link: #1b4f8f;
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.55 system-ui, "Segoe UI", "Liberation Sans", sans-serif; }
main { max-width: 52rem; margin: 0 auto; padding: 2.5rem 1.5rem 4rem; }
header p { margin: 0; color: var(--quiet); }
h1 { font-size: 1.1rem; font-weight: 600; margin: 0; }
h2 { font-size: 1.35rem; margin: 3rem 0 .5rem; font-weight: 600; letter-spacing: -.01em; }
h3 { font-size: 1rem; margin: 2rem 0 .4rem; font-weight: 600; }
p { margin: .5rem 0; }
.quiet { color: var(--quiet); font-size: .9rem; }
.answer { margin: 1.75rem 0 1rem; padding: 1.4rem 1.5rem; border-radius: .6rem; border-left: .35rem solid; }
.answer p { margin: 0; }
.answer .sentence { font-size: 1.5rem; line-height: 1.3; font-weight: 600; letter-spacing: -.015em; }
.answer .next { margin-top: .5rem; }
.answer a { color: inherit; }
.answer.good { background: var(--good-soft); border-color: var(--good); }
.answer.good .sentence { color: var(--good); }
.answer.bad { background: var(--bad-soft); border-color: var(--bad); }
.answer.bad .sentence { color: var(--bad); }
ol.steps { list-style: none; padding: 0; margin: .75rem 0; counter-reset: step; }
ol.steps li { counter-increment: step; position: relative; padding: .9rem 1rem .9rem 3rem; border: 1px solid var(--line); border-radius: .5rem; margin: .6rem 0; }
ol.steps li::before { content: counter(step); position: absolute; left: 1rem; top: .9rem; font-weight: 600; color: var(--quiet); }
ol.steps .who { font-weight: 600; }
ol.steps p { margin: .1rem 0; }
code { font: .88em/1.5 ui-monospace, "Cascadia Mono", "Liberation Mono", monospace; overflow-wrap: anywhere; }
pre { margin: .5rem 0 0; padding: .55rem .75rem; background: var(--soft); border-radius: .35rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; margin: .75rem 0; }
.scroll:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
table { border-collapse: collapse; width: 100%; font-size: .93rem; }
caption { text-align: left; color: var(--quiet); font-size: .85rem; padding-bottom: .3rem; }
th, td { text-align: left; padding: .42rem .9rem .42rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
thead th { color: var(--quiet); font-weight: 500; font-size: .85rem; }
tbody th { font-weight: 500; overflow-wrap: anywhere; }
tfoot th, tfoot td { font-weight: 600; border-bottom: 0; }
th:last-child, td:last-child { padding-right: 0; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.hash { overflow-wrap: anywhere; }
.sign { display: grid; grid-template-columns: 2fr 1fr 2fr; gap: 2rem; margin-top: 4.5rem; }
.sign div { border-top: 1px solid var(--text); padding-top: .35rem; font-size: .85rem; color: var(--quiet); }
@media (max-width: 40rem) {
  main { padding: 1.5rem 1rem 3rem; }
  .answer .sentence { font-size: 1.25rem; }
  .scroll table.texts { min-width: 38rem; }
  .scroll .number { white-space: normal; }
  .sign { grid-template-columns: 1fr; gap: 3.5rem; }
}
@page { size: A4; margin: 16mm 15mm; }
@media print {
  :root { --text: #000000; --good-soft: #ffffff; --bad-soft: #ffffff; font-size: 11px; }
  body { font-size: 9pt; line-height: 1.35; }
  main { max-width: none; padding: 0; }
  .answer { border: 1px solid; border-left-width: .35rem; }
  h2, h3 { break-after: avoid; }
  h2 { margin-top: 1.2rem; }
  h3 { margin-top: 1rem; }
  th, td { padding-top: .2rem; padding-bottom: .2rem; }
  .answer { margin: .8rem 0; padding: .7rem 1rem; }
  ol.steps li { break-inside: avoid; }
  thead { display: table-header-group; }
  tfoot { display: table-row-group; }
  tr { break-inside: avoid; }
  .scroll { overflow: visible; }
  .sign { grid-template-columns: 2fr 1fr 2fr; gap: 2rem; margin-top: 3rem; }
}
`;
