import { html, useCallback, useEffect, useRef, useState } from './htm.js';
import { events, get, query } from './api.js';
import { count, Failure, Input, plural, Select } from './parts.js';
import { REQUEST_COLUMNS } from './request-columns.js';
import { Rows } from './rows.js';

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

/** Most rows that the page keeps. Older ones are loaded again when somebody scrolls to them. */
const MOST = 20_000;

/** How long a list that did not load waits before it is loaded again, in milliseconds. */
const RETRY_MS = 2_000;

/** How often a screen reader hears of new requests, in milliseconds. */
const SAY_MS = 10_000;

/** The list with the filters that it had last, for the way back to it. */
let listed = '#/requests';
export const listHref = () => listed;

export function Requests({ filter }) {
  const chosen = Object.fromEntries(FILTERS.map((name) => [name, filter[name] ?? '']));
  const key = JSON.stringify(chosen);
  listed = `#/requests${query(chosen)}`;
  const [list, setList] = useState({ rows: [], next: null, added: 0 });
  const [error, setError] = useState(null);
  const [isPaused, setPaused] = useState(false);
  const [waiting, setWaiting] = useState(0);
  const [isConnected, setConnected] = useState(true);
  const said = useLiveText();
  const lastId = useRef('');

  // Another filter is another list, so it does not stand still.
  useEffect(() => setPaused(false), [key]);

  // The first page, and everything that comes after it. A list that is paused stays as it is.
  useEffect(() => {
    if (isPaused) return undefined;
    let source;
    let retry;
    let isOver = false;
    lastId.current = '';
    const load = async () => {
      try {
        const page = await get(`requests/newest${query(chosen)}`);
        if (isOver) return;
        setList({ rows: page.requests, next: page.next, added: 0 });
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
      if (isOver || document.hidden) return;
      source = events('requests/events', { ...chosen, last_event_id: lastId.current });
      source.addEventListener('open', () => setConnected(true));
      source.addEventListener('error', () => setConnected(false));
      source.addEventListener('restarted', () => void load());
      source.addEventListener('requests', (event) => {
        lastId.current = event.lastEventId;
        const { requests, more } = JSON.parse(event.data);
        if (requests.length === 0) return;
        said.add(requests.length);
        // More came than one event carries, so the list has a gap.
        if (more) return void load();
        setList((before) => ({
          ...before,
          rows: [...requests, ...before.rows].slice(0, MOST),
          next:
            before.rows.length + requests.length > MOST
              ? before.rows[MOST - requests.length - 1].seq
              : before.next,
          added: before.added + requests.length,
        }));
      });
    };
    // A browser has six connections to a server, so a page that nobody looks at has none.
    const show = () => {
      if (document.hidden) source?.close();
      else if (lastId.current !== '') listen();
    };
    document.addEventListener('visibilitychange', show);
    void load();
    return () => {
      isOver = true;
      clearTimeout(retry);
      document.removeEventListener('visibilitychange', show);
      source?.close();
    };
  }, [key, isPaused]);

  // While the list stands still, count what came after it.
  useEffect(() => {
    setWaiting(0);
    if (!isPaused) return undefined;
    const source = events('requests/events', { ...chosen, last_event_id: lastId.current });
    source.addEventListener('requests', (event) =>
      setWaiting((before) => before + JSON.parse(event.data).requests.length),
    );
    return () => source.close();
  }, [key, isPaused]);

  // An older page may come after the filters have changed.
  const shownKey = useRef(key);
  shownKey.current = key;
  const isLoading = useRef(false);
  const more = useCallback(async () => {
    if (list.next === null || isLoading.current) return;
    isLoading.current = true;
    try {
      const page = await get(`requests/newest${query({ ...chosen, before: list.next })}`);
      if (shownKey.current === key)
        setList((before) => ({ ...before, rows: [...before.rows, ...page.requests], next: page.next }));
    } catch (failure) {
      setError(failure);
    }
    isLoading.current = false;
  }, [list.next, key]);

  const change = (name) => (value) => {
    history.replaceState(null, '', `#/requests${query({ ...chosen, [name]: value })}`);
    dispatchEvent(new HashChangeEvent('hashchange'));
  };
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
        options=${statuses(chosen.status)}
        onChange=${change('status')}
      />
      <${Input} label="Account contains" className="grow half" value=${chosen.account} onInput=${change('account')} />
      <${Input} label="Code" className="grow half" value=${chosen.code} onInput=${change('code')} />
      <${Input} label="Text, also kept bodies" className="grow" value=${chosen.text} onInput=${change('text')} />
      ${isFiltered && html`<a class="button" href="#/requests">Clear</a>`}
    </form>
    <${Failure} error=${error} />
    <${Rows}
      label="Requests, newest first"
      columns=${REQUEST_COLUMNS}
      rows=${list.rows}
      keyOf=${({ seq }) => seq}
      onEnd=${more}
      added=${list.added}
      empty=${isFiltered ? 'No request fits these filters.' : 'No request has arrived yet.'}
    />
    <p class="soft small">
      ${plural(list.rows.length, 'request')}${list.next === null ? '' : ' and more below'}. The last 100,000
      are kept, or fewer when they fill the memory of the log. Times are UTC.
    </p>
    <div class="unseen" aria-live="polite">${said.text}</div>
  `;
}

/** A status that the address names and the list does not have. */
const statuses = (given) =>
  STATUSES.some(([name]) => name === given) ? STATUSES : [...STATUSES, [given, given]];

/** Says how many requests came, at most every ten seconds. */
function useLiveText() {
  const [text, setText] = useState('');
  const pending = useRef(0);
  useEffect(() => {
    const timer = setInterval(() => {
      if (pending.current > 0) setText(`${plural(pending.current, 'new request')}`);
      pending.current = 0;
    }, SAY_MS);
    return () => clearInterval(timer);
  }, []);
  return {
    text,
    add: (number) => {
      pending.current += number;
    },
  };
}
