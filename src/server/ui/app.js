// The frame of the page: which view the address asks for, the bar above it, and the way to the interface below it.
import { html, render, useEffect, useRef, useState } from './htm.js';
import { Account } from './account.js';
import { Accounts } from './accounts.js';
import { get } from './api.js';
import { CommandLine, Copy, Data, Failure, plural, quoted, toTop, useLoaded } from './parts.js';
import { Rehearse } from './rehearse.js';
import { Request } from './request.js';
import { Requests } from './requests.js';

/** Place and number of further parts of the address after `#/` → title and view. */
const VIEWS = {
  0: ['Requests', Requests],
  requests1: ['Request', Request],
  accounts0: ['Accounts', Accounts],
  accounts2: ['Account', Account],
  rehearse0: ['Rehearse', Rehearse],
};

const BAR = [
  ['', 'Requests'],
  ['accounts', 'Accounts'],
  ['rehearse', 'Rehearse'],
];

/** The view of an address such as `#/?status=4xx`. */
function viewOf(hash) {
  const [path = '', search = ''] = hash.replace(/^#?\/?/, '').split('?', 2);
  const [place, ...given] = path.split('/').map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
  const [title, View] = VIEWS[`${place}${given.length}`] ?? ['No such view', Nowhere];
  return { path, place, given, title, View, filter: Object.fromEntries(new URLSearchParams(search)) };
}

function Nowhere() {
  return html`<h1>No such view</h1>
    <p>The page has no view at this address.</p>
    <p><a href="#/">Requests</a></p>`;
}

function App() {
  const [view, setView] = useState(() => viewOf(location.hash));
  // The list of requests with the filters that it had last, for the way back to it.
  const list = useRef('#/');
  if (view.path === '') list.current = location.hash || '#/';
  const unusual = useLoaded(() => Promise.all([get('faults'), get('clock')]), [view.path], 3_000);
  const { value: health } = useLoaded(() => get('health'), [], 0);
  const isGone = unusual.error instanceof TypeError;
  useEffect(() => {
    const move = () =>
      setView((before) => {
        const next = viewOf(location.hash);
        // The filters of a list change while somebody types into one of them.
        if (next.path !== before.path) toTop();
        return next;
      });
    addEventListener('hashchange', move);
    return () => removeEventListener('hashchange', move);
  }, []);
  useEffect(() => {
    document.title = `${view.title} · dataimport serve`;
  }, [view.title]);
  const { View } = view;
  const at = view.place === 'requests' ? '' : view.place;
  return html`
    <a class="skip" href="#main" onClick=${(event) => (event.preventDefault(), toTop())}
      >Skip to the content</a
    >
    <header class="bar">
      <div>
        <span class="brand"><img src="/_local/ui/icon.svg" width="22" alt="" />dataimport serve</span>
        <nav aria-label="Views">
          ${BAR.map(
            ([place, title]) =>
              html`<a href=${`#/${place}`} aria-current=${place === at ? 'page' : undefined}>${title}</a>`,
          )}
        </nav>
      </div>
      <${Unusual} of=${unusual.value ?? []} />
    </header>
    <main tabindex="-1" id="main">
      <${Failure} error=${unusual.error} />
      ${isGone && html`<${Gone} health=${health} />`}
      <div class="view" hidden=${isGone}>
        <${View}
          key=${view.path}
          given=${view.given}
          filter=${view.filter}
          back=${list.current}
          onChange=${unusual.again}
        />
      </div>
    </main>
    <${Interface} health=${health} />
  `;
}

/** A server that has ended, with the command that starts it again. The view behind it keeps what was typed. */
function Gone({ health }) {
  return html`<section class="card gone" role="alert">
    <h1>The server does not answer</h1>
    <p>It was stopped, or its computer sleeps. This command starts it again; add the seed and the options that it had.</p>
    <${CommandLine} line=${`dataimport serve --port ${location.port} --db ${quoted(health?.database ?? 'FILE')}`} />
    <p class="soft small">The page goes on by itself once the server answers.</p>
  </section>`;
}

/** Armed faults and a clock that is not real, because both explain answers on every view. */
function Unusual({ of: [faults, clock] }) {
  const armed = faults?.armed ? faults.rules.filter(({ spent }) => !spent).length : 0;
  const parts = [
    armed > 0 && `${plural(armed, 'fault')} armed`,
    clock?.mode === 'frozen' && `clock frozen at ${clock.now}`,
    // The time runs, and a screen reader would hear it every three seconds.
    clock?.mode === 'shifted' && 'clock shifted',
  ].filter((part) => part);
  if (parts.length === 0) return null;
  return html`<div class=${armed > 0 ? 'armed bad' : 'armed warn'} role="status">
    <a href="#/rehearse">${parts.join(', ')}</a>
  </div>`;
}

/** The document of the interface, for the API client that a developer has, and what this server is. */
function Interface({ health: value }) {
  const address = `${location.origin}/_local/openapi.json`;
  return html`<footer>
    <p>
      To send requests by hand, import the <a href="/_local/openapi.json">OpenAPI document</a> into Bruno, Insomnia
      or Postman, by its address or as a file: <code>${address}</code>${' '}
      <${Copy} text=${address} what="the address of the OpenAPI document" />
    </p>
    ${value && html`<p>Version ${value.version}, database <${Data} text=${value.database} />, started ${value.started_at}</p>`}
  </footer>`;
}

// A form acts by its view. Nothing is sent to another page.
addEventListener('submit', (event) => event.preventDefault());
render(html`<${App} />`, document.querySelector('#page'));
