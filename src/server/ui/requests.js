// The stream of requests, with the figures of today above it.
import { html, useEffect, useRef, useState } from './htm.js';
import { events, get, query } from './api.js';
import {
  accountHref,
  Brief,
  Copy,
  count,
  Failure,
  filtersOf,
  Input,
  plural,
  Select,
  Status,
  Table,
  Tag,
  Time,
  toleratedText,
  useLoaded,
} from './parts.js';
import { repetitionsText } from './request.js';

const ENDPOINTS = ['notes', 'transactions', 'statements', 'payment-instructions', 'token', 'status', 'lists'];
const STATUSES = [
  ['', 'any'],
  ['2xx', '2xx success'],
  ['4xx', '4xx refused'],
  ['5xx', '5xx failed'],
  ['none', 'none: no answer'],
  ['fault', 'answered by a fault'],
];

/** The filters, as the address and the server name them. */
const FILTERS = ['endpoint', 'status', 'account', 'code', 'text'];

/** Most rows that stay while new ones come. Older ones are loaded again when somebody asks for more. */
const MOST = 500;

/** How long a list that did not load waits before it is loaded again, in milliseconds. */
const RETRY_MS = 2_000;

/** How often a screen reader hears of new requests, in milliseconds. */
const SAY_MS = 10_000;

export function Requests({ filter }) {
  const { chosen, change, key } = filtersOf(FILTERS, '', filter);
  const [isPaused, setPaused] = useState(false);
  const { list, error, isConnected, waiting, said, more } = useStream(chosen, isPaused);
  const { value: figures } = useLoaded(() => get('figures'), [], 2_000);
  // Another filter is another list, so it does not stand still.
  useEffect(() => setPaused(false), [key]);
  const isFiltered = Object.values(chosen).some((value) => value !== '');
  return html`
    <div class="head">
      <h1>Requests</h1>
      <div class="actions">
        <span class="soft small"
          >${isPaused ? 'paused' : isConnected ? 'live' : 'connection lost, trying again'}</span
        >
        <button aria-pressed=${isPaused} onClick=${() => setPaused(!isPaused)}>
          ${isPaused ? `Go on${waiting > 0 ? ` (${count(waiting)} new)` : ''}` : 'Pause'}
        </button>
      </div>
    </div>
    ${figures && html`<${Figures} of=${figures} />`}
    <form class="form" role="search" aria-label="Filters" onSubmit=${(event) => event.preventDefault()}>
      <${Select}
        label="Resource"
        className="half"
        value=${chosen.endpoint}
        options=${[['', 'any'], ...ENDPOINTS]}
        onChange=${change('endpoint')}
      />
      <${Select}
        label="Status"
        className="half"
        value=${chosen.status}
        options=${STATUSES}
        onChange=${change('status')}
      />
      <${Input} label="Account contains" className="grow half" value=${chosen.account} onInput=${change('account')} />
      <${Input} label="Code" className="grow half" value=${chosen.code} onInput=${change('code')} />
      <${Input} label="Text, also in bodies" className="grow" value=${chosen.text} onInput=${change('text')} />
      ${isFiltered && html`<a href="#/">Clear</a>`}
    </form>
    <${Failure} error=${error} />
    ${figures && list.isLoaded && list.rows.length === 0 && !isFiltered && html`<${FirstSteps} apiKey=${figures.built_in_key} />`}
    ${
      (isFiltered || list.rows.length > 0) &&
      html`<${Table}
          label="Requests, newest first"
          columns=${COLUMNS}
          rows=${list.rows}
          keyOf=${({ seq }) => seq}
          empty="No request fits these filters."
          more=${list.next !== null && more}
        />
        <p class="soft small">
          The last 100,000 requests are kept, or fewer when they fill the memory of the log. Times are UTC.
        </p>`
    }
    <div class="unseen" aria-live="polite">${said}</div>
  `;
}

/** The newest requests that fit the filters, and everything that comes after them. A list that is paused stays as it is. */
function useStream(chosen, isPaused) {
  const key = JSON.stringify(chosen);
  const [list, setList] = useState({ rows: [], next: null, isLoaded: false });
  const [error, setError] = useState(null);
  const [waiting, setWaiting] = useState(0);
  const [isConnected, setConnected] = useState(true);
  const lastId = useRef('');
  const { said, add } = useLiveText();
  const shown = useRef(key);
  shown.current = key;

  useEffect(() => {
    let source;
    let retry;
    let isOver = false;
    setWaiting(0);
    const load = async () => {
      try {
        const page = await get(`requests/newest${query(chosen)}`);
        if (isOver) return;
        setList({ rows: page.requests, next: page.next, isLoaded: true });
        setError(null);
        setConnected(true);
        lastId.current = page.event_id;
        listen();
      } catch (failure) {
        if (isOver) return;
        setError(failure);
        // A refusal of the filters stays, and a server that does not answer may come back.
        if (!(failure instanceof TypeError)) return;
        setConnected(false);
        clearTimeout(retry);
        retry = setTimeout(() => void load(), RETRY_MS);
      }
    };
    const listen = () => {
      source?.close();
      // A browser has six connections to a server, so a page that nobody looks at has none.
      if (isOver || document.hidden || lastId.current === '') return;
      source = events('requests/events', { ...chosen, last_event_id: lastId.current });
      source.addEventListener('open', () => setConnected(true));
      source.addEventListener('error', () => setConnected(false));
      source.addEventListener('restarted', () => !isPaused && void load());
      source.addEventListener('requests', (event) => {
        const { requests, more } = JSON.parse(event.data);
        lastId.current = event.lastEventId;
        if (requests.length === 0) return;
        if (isPaused) {
          setWaiting((before) => before + requests.length);
          return;
        }
        add(requests.length);
        // More came than one event carries, so the list has a gap.
        if (more) return void load();
        setList((before) => {
          const rows = [...requests, ...before.rows].slice(0, Math.max(MOST, before.rows.length));
          const isCut = rows.length < requests.length + before.rows.length;
          return { ...before, rows, next: isCut ? rows.at(-1).seq : before.next };
        });
      });
    };
    document.addEventListener('visibilitychange', listen);
    if (isPaused) listen();
    else {
      lastId.current = '';
      void load();
    }
    return () => {
      isOver = true;
      clearTimeout(retry);
      document.removeEventListener('visibilitychange', listen);
      source?.close();
    };
  }, [key, isPaused]);

  const more = async () => {
    try {
      const page = await get(`requests/newest${query({ ...chosen, before: list.next })}`);
      // The filters may have changed meanwhile.
      if (shown.current === key)
        setList((before) => ({ ...before, rows: [...before.rows, ...page.requests], next: page.next }));
    } catch (failure) {
      setError(failure);
    }
  };
  return { list, error, isConnected, waiting, said, more };
}

/** A text that says how many requests came, at most every ten seconds, and the function that counts them. */
function useLiveText() {
  const [text, setText] = useState('');
  const pending = useRef(0);
  useEffect(() => {
    const timer = setInterval(() => {
      if (pending.current > 0) setText(plural(pending.current, 'new request'));
      pending.current = 0;
    }, SAY_MS);
    return () => clearInterval(timer);
  }, []);
  return { said: text, add: (number) => void (pending.current += number) };
}

// ---- Figures

/** The requests of today, and what is stored. Figures that are not usual are shown only when they are not 0. */
function Figures({ of: { today, tolerated, counts } }) {
  const records = Object.values(counts.records).reduce((sum, each) => sum + each, 0);
  const others = tolerated.amount_as_text + tolerated.other_offset;
  const link = (number, status) => html`<a href=${`#/?status=${status}`}>${count(number)}</a>`;
  const figures = [
    ['Requests today', count(today.requests)],
    ['Refused today', today.refused > 0 ? link(today.refused, '4xx') : 0],
    today.failed > 0 && ['Failed today', link(today.failed, '5xx')],
    today.by_fault > 0 && ['By faults today', link(today.by_fault, 'fault')],
    others > 0 && ['Tolerated values', html`<span title=${toleratedText(tolerated)}>${count(others)}</span>`],
    ['Records stored', count(records)],
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
    ...(suppliers.length === 1 ? [`export DATAIMPORT_SUPPLIER=${suppliers[0].code}`] : []),
    'dataimport push transactions FILE',
  ].join('\n');
  return html`<section class="card">
    <div class="head">
      <h2>No request has arrived yet</h2>
      <${Copy} text=${text} what="the commands" />
    </div>
    <p>Type this in a terminal to send a file. Each request appears here as it comes.</p>
    <pre class="json" tabindex="0" role="region" aria-label="Commands"><div>${text}</div></pre>
    ${apiKey === null && html`<p class="soft small">Put a key of your seed in place of the dots. The page never shows keys.</p>`}
    <p>A client of your own sends to <code>${location.origin}</code>.</p>
  </section>`;
}

// ---- Columns

const COLUMNS = [
  { title: 'Time', className: 'w-short', cell: ({ at }) => html`<${Time} of=${at} />` },
  { title: 'Status', className: 'w-short', cell: ({ status }) => html`<${Status} status=${status} />` },
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
function NarrowLine({ of: request }) {
  const { external_account_number: account, codes, faults = [], by_fault: isByFault, repetitions } = request;
  const cause = isByFault ? faults.map(({ rule }) => rule) : codes;
  const parts = [account, cause.join(', '), repetitions && repetitionsText(repetitions)];
  return html`<span class="narrow-only small soft">
    <${Brief} text=${parts.filter((part) => part).join(' · ')} />
  </span>`;
}

function AccountLink({ of: request }) {
  const { import_supplier: supplier, external_account_number: account } = request;
  if (account === null) return null;
  const text = html`<${Brief} text=${account} />`;
  return supplier === null ? text : html`<a href=${accountHref(request)}>${text}</a>`;
}

/** The faults that took a request, the codes of the platform's own answer, and how many records were there already. */
function Outcome({ of: { faults = [], by_fault: isByFault, codes, repetitions } }) {
  return html`${
    faults.length > 0 &&
    html`<${Tag} kind="warn">fault<//> <${Brief} text=${faults.map(({ rule }) => rule).join(', ')} />${' '}`
  }${
    !isByFault &&
    codes.map(
      (code, index) =>
        html`${index > 0 && ', '}<a href=${`#/${query({ code })}`}><${Brief} text=${code} /></a>`,
    )
  }${
    repetitions &&
    html`<span class=${repetitions.conflicts.length > 0 ? 'warn' : 'soft'}
      >${repetitionsText(repetitions)}</span
    >`
  }`;
}
