// The stream of requests, with the figures of today above it.
import { html } from './htm.js';
import { get, query } from './api.js';
import {
  accountHref,
  Brief,
  Copy,
  count,
  Failure,
  filtersOf,
  Input,
  quoted,
  Select,
  Status,
  Table,
  Tag,
  Time,
  toleratedText,
  useLoaded,
} from './parts.js';
import { createdText } from './request.js';

const ENDPOINTS = ['notes', 'transactions', 'statements', 'payment-instructions', 'token', 'status', 'lists'];
const STATUSES = [
  ['', 'any'],
  ['2xx', '2xx success'],
  ['refused', 'refused'],
  ['failed', '5xx or no answer'],
  ['fault', 'answered by a fault'],
  ['tolerated', 'with tolerated values'],
];

/** The filters, as the address and the server name them. */
const FILTERS = ['endpoint', 'status', 'account', 'code', 'text', 'since'];

/** How often the list is loaded, in milliseconds. */
const LOOK_MS = 1_000;

export function Requests({ filter }) {
  const { chosen, field, change, hrefWith } = filtersOf(FILTERS, '', filter);
  // The requests before a number stand still: a list that is paused, or a further page of it.
  const { before } = filter;
  const path = `requests/newest${query({ ...chosen, before })}`;
  const { value, error } = useLoaded(() => get(path), [path], LOOK_MS);
  const { requests: rows = [], next = null } = value ?? {};
  const { value: figures } = useLoaded(() => get('figures'), [], 2_000);
  const isFiltered = Object.values(chosen).some((value) => value !== '');
  return html`
    <div class="head">
      <h1>Requests</h1>
      <div class="actions">
        <span class="soft small"
          >${error instanceof TypeError ? 'connection lost, trying again' : before ? 'paused' : 'live'}</span
        >
        <button
          aria-pressed=${before !== undefined}
          onClick=${() => change('before')(before ? '' : (rows[0]?.seq ?? 0) + 1)}
        >
          ${before ? 'Go on' : 'Pause'}
        </button>
      </div>
    </div>
    ${figures && html`<${Figures} of=${figures} />`}
    <search class="form" aria-label="Filters">
      <${Select} label="Resource" className="half" options=${[['', 'any'], ...ENDPOINTS]} ...${field('endpoint')} />
      <${Select} label="Status" className="half" options=${STATUSES} ...${field('status')} />
      <${Input} label="Account contains" className="grow half" ...${field('account')} />
      <${Input} label="Code" className="grow half" ...${field('code')} />
      <${Input} label="Text, also in bodies" className="grow" ...${field('text')} />
      ${chosen.since && html`<${Input} label="Since" className="grow" ...${field('since')} />`}
      ${isFiltered && html`<a href="#/">Clear</a>`}
    </search>
    <${Failure} error=${error} />
    ${figures && value && rows.length === 0 && !isFiltered && html`<${FirstSteps} apiKey=${figures.built_in_key} />`}
    ${
      (isFiltered || rows.length > 0) &&
      html`<${Table}
          label="Requests, newest first"
          columns=${COLUMNS}
          rows=${rows}
          keyOf=${({ seq }) => seq}
          empty="No request fits these filters."
          next=${next && hrefWith({ before: next })}
        />
        <p class="soft small">The log keeps the last requests, as many as its memory holds. Times are UTC.</p>`
    }
  `;
}

// ---- Figures

/** The requests of today, and what is stored, each with a link to what it counts. Figures that are not usual are shown only when they are not 0. */
function Figures({ of: { since, today, tolerated, counts } }) {
  const records = Object.values(counts.records).reduce((sum, each) => sum + each, 0);
  const others = tolerated.amount_as_text + tolerated.other_offset;
  const link = (number, filter, title) =>
    html`<a href=${`#/${query(filter)}`} title=${title}>${count(number)}</a>`;
  const figures = [
    ['Requests today', link(today.requests, { since })],
    ['Refused today', link(today.refused, { status: 'refused', since })],
    today.failed > 0 && ['Failed today', link(today.failed, { status: 'failed', since })],
    today.by_fault > 0 && ['By faults today', link(today.by_fault, { status: 'fault', since })],
    others > 0 && ['Tolerated values', link(others, { status: 'tolerated' }, toleratedText(tolerated))],
    ['Records stored', html`<a href="#/accounts">${count(records)}</a>`],
    ['Accounts', html`<a href="#/accounts">${count(counts.accounts)}</a>`],
  ];
  return html`<dl class="figures">
    ${figures
      .filter((figure) => figure)
      .map(
        ([name, figure]) =>
          html`<div key=${name}>
            <dt>${name}</dt>
            <dd>${figure}</dd>
          </div>`,
      )}
  </dl>`;
}

/** The commands of the first request, on a server that has seen none. */
function FirstSteps({ apiKey }) {
  const { value } = useLoaded(() => get('suppliers'), [], 0);
  const suppliers = value?.suppliers ?? [];
  const text = [
    `export DATAIMPORT_BASE_URL=${location.origin}`,
    `export DATAIMPORT_API_KEY=${apiKey ?? '…'}`,
    ...(suppliers.length === 1 ? [`export DATAIMPORT_SUPPLIER=${quoted(suppliers[0].code)}`] : []),
    'dataimport push transactions FILE',
  ].join('\n');
  return html`<section class="card">
    <div class="head">
      <h2>No request has arrived yet</h2>
      <${Copy} text=${text} what="the commands" />
    </div>
    <p>Type this in a terminal to send a file. Each request appears here as it comes.</p>
    <pre class="json" tabindex="0" role="region" aria-label="Commands">${text}</pre>
    ${apiKey === null && html`<p class="soft small">Put a key of your seed in place of the dots. The page never shows keys.</p>`}
    <p>A client of your own sends to <code>${location.origin}</code>.</p>
  </section>`;
}

// ---- Columns

const COLUMNS = [
  { title: 'Time', className: 'w-short', cell: ({ at }) => html`<${Time} of=${at} />` },
  { title: 'Status', className: 'w-short', cell: (request) => html`<${Status} ...${request} />` },
  {
    title: 'Request',
    cell: (request) => html`<${RowLink} of=${request} /><${NarrowLine} of=${request} />`,
  },
  {
    title: 'Account',
    className: 'wide-only',
    cell: (request) => html`<${AccountLink} of=${request} />`,
  },
  { title: 'Outcome', className: 'wide-only', cell: (request) => html`<${Outcome} of=${request} />` },
  { title: 'ms', className: 'number w-short wide-only', cell: ({ duration_ms }) => duration_ms },
];

/** The link of a whole row. A list of links names each with its status and account. */
function RowLink({ of: { seq, method, endpoint, path, records, status, external_account_number: account } }) {
  return html`<a class="row-link" href=${`#/requests/${seq}`}
    >${method} ${endpoint === null ? html`<${Brief} text=${path} />` : endpoint}${
      records !== null && html` <span class="soft">× ${count(records)}</span>`
    }<span class="unseen"
      >, request ${seq}, ${status ?? 'no answer'}${account !== null && html`, account <${Brief} text=${account} />`}</span
    ></a
  >`;
}

/** A narrow window has no columns for account and outcome. */
const NarrowLine = ({ of: request }) =>
  html`<div class="narrow-only">
    <div class="mono"><${AccountLink} of=${request} /></div>
    <div class="small"><${Outcome} of=${request} /></div>
  </div>`;

function AccountLink({ of: request }) {
  const { import_supplier: supplier, external_account_number: account } = request;
  if (account === null) return null;
  const text = html`<${Brief} text=${account} />`;
  return supplier === null ? text : html`<a href=${accountHref(request)}>${text}</a>`;
}

/** The faults that took a request, the codes of the platform's own answer, and how many records are new. */
function Outcome({ of: request }) {
  const { faults = [], by_fault: isByFault, codes, repetitions } = request;
  return html`${
    faults.length > 0 &&
    html`<${Tag} kind="warn">fault<//> <${Brief} text=${faults.map(({ rule }) => rule).join(', ')} />${' '}`
  }${
    !isByFault &&
    codes.map(
      (code, index) =>
        html`${index > 0 && ', '}<a href=${`#/${query({ code })}`}><${Brief} text=${code} /></a>`,
    )
  }<span class=${repetitions?.conflicts.length > 0 ? 'warn' : 'soft'}>${createdText(request)}</span>`;
}
