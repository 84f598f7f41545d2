// One request: why it was refused and what to change, its body and its answer.
import { html, useMemo } from './htm.js';
import { AccountNow } from './account.js';
import { get } from './api.js';
import { Json, jumpTo, readJson, recordOf, textAt } from './json.js';
import {
  accountHref,
  Brief,
  count,
  Data,
  Failure,
  Status,
  toleratedText,
  useLoaded,
  withCode,
} from './parts.js';

export function Request({ given: [seq], back }) {
  const { value, error } = useLoaded(() => get(`requests/${encodeURIComponent(seq)}`), [seq], 0);
  const sent = useMemo(() => readJson(value?.request_body), [value]);
  if (!value)
    return html`<h1>Request ${seq}</h1>
      ${error?.status === 404 ? html`<${Gone} />` : html`<${Failure} error=${error} />`}`;
  const { request_body: body, response_body: answer, by_fault: isByFault } = value;
  const problems = isByFault ? [] : value.problems;
  const hasBodies = body !== undefined || answer !== undefined;
  return html`
    <h1>Request ${value.seq}</h1>
    <${Facts} request=${value} />
    <div class="two">
      <div class="stack">
        ${problems.length > 0 && html`<${Problems} request=${value} sent=${sent} />`}
        <${Conflicts} request=${value} sent=${sent} />
        ${
          answer !== undefined &&
          html`<section class="card">
            <h2>Answer</h2>
            <${Json} text=${answer} label="Body of the answer" />
            ${value.cut?.includes('response_body') && html`<${Cut} />`}
          </section>`
        }
      </div>
      ${
        body === undefined
          ? (takesBody(value) || !hasBodies) && html`<${NoBodies} />`
          : html`<section class="card">
              <h2>Body</h2>
              <${Json}
                text=${body}
                attrs=${problems.map(({ field }) => field).filter((field) => field !== '')}
                label="Body of the request"
              />
              ${value.cut?.includes('request_body') && html`<${Cut} />`}
            </section>`
      }
    </div>
    <p><a href=${back}>Back to the requests</a></p>
  `;
}

const Cut = () => html`<p class="soft small">The log keeps the first MiB of a body.</p>`;

const Gone = () =>
  html`<p class="note">
    The log does not have this request any more: a reset, a restart or later requests have dropped it.
  </p>`;

function Facts({ request }) {
  const { status, cut = [], faults = [], tolerated, records, created } = request;
  const account = request.external_account_number;
  return html`<dl class="card facts">
    <dt>Request</dt>
    <dd>
      <code>${request.method} <${Data} text=${request.path + (request.query && `?${request.query}`)} /></code>
      ${(cut.includes('path') || cut.includes('query')) && html` <span class="soft small">The log keeps the first 1,024 characters of path and query.</span>`}
    </dd>
    <dt>Answer</dt>
    <dd>
      <${Status} status=${status} codes=${request.codes} />${' '}
      ${status === null && 'The connection ended without a whole answer.'}
    </dd>
    ${
      faults.length > 0 &&
      html`<dt>${request.by_fault ? 'Answered by' : 'Changed by'}</dt>
        <dd>
          ${faults.map(({ rule }) => html`<div class="bad">the fault <code><${Data} text=${rule} /></code></div>`)}
          <span class="soft"
            >${request.by_fault && 'The request itself need not be wrong. '}Faults are disarmed under${' '}
            <a href="#/rehearse">Rehearse</a>.</span
          >
        </dd>`
    }
    ${
      account !== null &&
      html`<dt>Account</dt>
        <dd>
          <a href=${accountHref(request)}><${Brief} text=${account} /></a> of${' '}
          <${Brief} text=${request.import_supplier} />
        </dd>`
    }
    ${
      records !== null &&
      html`<dt>Records</dt>
        <dd>${count(records)}${created !== undefined && ` (${createdText(request)})`}</dd>`
    }
    ${
      tolerated &&
      html`<dt>Tolerated</dt>
        <dd>${toleratedText(tolerated)}</dd>`
    }
    <dt>Time and size</dt>
    <dd>
      ${request.at}, ${request.duration_ms} ms, ${count(request.request_bytes)} bytes sent
      ${request.response_bytes !== null && `, ${count(request.response_bytes)} bytes answered`}
    </dd>
  </dl>`;
}

// ---- Why it was refused

/** Codes that the state of an account or supplier explains. */
const OF_ACCOUNT = [
  'account_not_found',
  'import_process_does_not_exist',
  'import_supplier_migration_not_ongoing',
];

/** The problems of an answer, each with its place and the next step. */
function Problems({ request, sent }) {
  const { import_supplier: supplier, external_account_number: number, problems } = request;
  const isOfAccount =
    supplier !== null && number !== null && problems.some(({ code }) => OF_ACCOUNT.includes(code));
  return html`<section class="card red">
    <h2>Why it was refused, and what to change</h2>
    <ul class="plain-list">
      ${problems.map((problem) => html`<${Problem} problem=${problem} sent=${sent} />`)}
    </ul>
    ${isOfAccount && html`<${AccountNow} supplier=${supplier} number=${number} />`}
  </section>`;
}

function Problem({ problem: { code, attr, field, detail, next, rule, known }, sent }) {
  const name = attr === field ? field.split('.').findLast((part) => !/^\d+$/.test(part)) : '';
  return html`<li class="entry">
    <strong>${name && html`<code><${Data} text=${name} /></code>: `}<${Data} text=${detail} /></strong>
    ${field && html`<${Place} attr=${field} sent=${sent} />`}
    ${next && html`<p>${withCode(next)}</p>`}
    <p class="small soft">
      ${rule && html`The rule is ${rule.authority}: ${withCode(rule.says)} (${withCode(rule.source)}). `}
      ${known && html`More: <code>dataimport explain <${Brief} text=${code} /></code>`}
    </p>
  </li>`;
}

/** Where a value is: its record by name and number, and its path in it, which is the name of its column. */
function Place({ attr, sent }) {
  const record = recordOf(sent, attr);
  return html`<p class="small soft">
    ${record && html`${record.id !== null && html`${record.noun} <code><${Brief} text=${record.id} /></code>, `}record ${count(record.index + 1)}, `}at${' '}
    <code><${Data} text=${record?.field || attr} /></code>
    ${sent !== undefined && html` <button class="link" onClick=${() => jumpTo(attr)}>show it</button>`}
  </p>`;
}

// ---- Records that were there already

/** "3 created, 2 already there", and how many of them differ from what is stored. Empty when nothing was stored on purpose. */
export function createdText({ created, repetitions: { existing = 0, conflicts = [] } = {} }) {
  if (created === undefined) return '';
  const parts = [
    `${count(created)} created`,
    existing > 0 && `${count(existing)} already there`,
    conflicts.length > 0 && `${conflicts.length} differ${conflicts.length === 1 ? 's' : ''}`,
  ];
  return parts.filter(Boolean).join(', ');
}

/** What was sent beside what is stored. The values come from the bodies, if the log has them. */
function Conflicts({ request: { repetitions, response_body: answer }, sent }) {
  if (!repetitions || repetitions.conflicts.length === 0) return null;
  const answered = readJson(answer);
  const value = (body, attr) =>
    body === undefined
      ? 'not kept'
      : html`<code><${Data} text=${textAt(body, attr) ?? 'none'} cut=${200} /></code>`;
  return html`<section class="card">
    <h2>Came again with other content</h2>
    <p>The platform answers such a record as one that it has already, and keeps what is stored.</p>
    <ul class="plain-list">
      ${repetitions.conflicts.map(
        ({ index, id, fields }) =>
          html`<li class="entry">
            <code><${Brief} text=${id} /></code>
            ${fields.map(
              (field) =>
                html`<span
                  ><${Brief} text=${field} />: sent ${value(sent, `transactions.${index}.${field}`)}, stored${' '}
                  ${value(answered, `results.${index}.transaction_data.${field}`)}</span
                >`,
            )}
          </li>`,
      )}
    </ul>
  </section>`;
}

// ---- Bodies

/** Whether the server reads the body of such a request. */
const takesBody = ({ method }) => method === 'POST' || method === 'PUT';

const NoBodies = () =>
  html`<p class="note">
    The log has no body of this request. It keeps none of a request for a token and none that the server did not
    read, and it drops the oldest first.
  </p>`;
