// The frame of the page: which view the address asks for, and the bar above it.
import { html, render, useEffect, useRef, useState } from './htm.js';
import { call, chooseTenant, get, tenant } from './api.js';
import { Accounts } from './accounts.js';
import { Account } from './account.js';
import { Endpoint, Interface } from './interface.js';
import { Overview } from './overview.js';
import { Parity } from './parity.js';
import { Failure, Input, plural, useLoaded } from './parts.js';
import { Rehearsal } from './rehearsal.js';
import { Request } from './request.js';
import { Requests } from './requests.js';
import { Why } from './why.js';

/**
 * Pattern of the address after `#`, the place in the bar, the title, the view.
 * @type {[pattern: string, place: string, title: string, view: any][]}
 */
const VIEWS = [
  ['', 'overview', 'Overview', Overview],
  ['requests', 'requests', 'Requests', Requests],
  ['requests/:seq', 'requests', 'Request', Request],
  ['requests/:seq/why', 'requests', 'Why was this refused?', Why],
  ['accounts', 'accounts', 'Accounts', Accounts],
  ['accounts/:supplier/:number', 'accounts', 'Account', Account],
  ['rehearsal', 'rehearsal', 'Rehearsal', Rehearsal],
  ['interface', 'interface', 'Interface', Interface],
  ['interface/:id', 'interface', 'Endpoint', Endpoint],
  ['parity', 'parity', 'Parity', Parity],
];

const BAR = [
  ['overview', '#/', 'Overview'],
  ['requests', '#/requests', 'Requests'],
  ['accounts', '#/accounts', 'Accounts'],
  ['rehearsal', '#/rehearsal', 'Rehearsal'],
  ['interface', '#/interface', 'Interface'],
  ['parity', '#/parity', 'Parity'],
];

/** The view of an address such as `#/requests?status=4xx`. */
function viewOf(hash) {
  const [path = '', search = ''] = hash.replace(/^#?\/?/, '').split('?', 2);
  const given = path.split('/').map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
  for (const [pattern, place, title, View] of VIEWS) {
    const parts = pattern.split('/');
    const fits =
      parts.length === given.length &&
      parts.every((part, index) => part.startsWith(':') || part === given[index]);
    if (!fits) continue;
    const names = parts.flatMap((part, index) =>
      part.startsWith(':') ? [[part.slice(1), given[index]]] : [],
    );
    const filter = Object.fromEntries(new URLSearchParams(search));
    return { place, title, View, path, given: Object.fromEntries(names), filter };
  }
  return { place: '', title: 'No such view', View: Nowhere, path, given: {}, filter: {} };
}

function Nowhere() {
  return html`<h1>No such view</h1>
    <p>The page has no view at this address.</p>
    <p><a href="#/">Overview</a></p>`;
}

function App() {
  const [view, setView] = useState(() => viewOf(location.hash));
  const main = useRef(null);
  const health = useLoaded(() => get('health'), [], 0);
  const unusual = useLoaded(
    () => (health.value && !needsKey(health.value) ? Promise.all([get('faults'), get('clock')]) : []),
    [health.value, view.path],
    3_000,
  );
  useEffect(() => {
    const move = () =>
      setView((before) => {
        const next = viewOf(location.hash);
        // The filters of a list change while somebody types into one of them.
        if (next.path !== before.path) {
          scrollTo(0, 0);
          main.current?.focus({ preventScroll: true });
        }
        return next;
      });
    addEventListener('hashchange', move);
    return () => removeEventListener('hashchange', move);
  }, []);
  useEffect(() => {
    document.title = `${view.title} · dataimport serve`;
  }, [view.title]);
  const { View } = view;
  return html`
    <a class="skip" href="#main" onClick=${(event) => (event.preventDefault(), main.current.focus())}
      >Skip to the content</a
    >
    <header class="bar">
      <div>
        <span class="brand"><img src="/_local/ui/icon.svg" alt="" />dataimport serve</span>
        <nav aria-label="Views">
          ${BAR.map(
            ([place, href, title]) =>
              html`<a href=${href} aria-current=${place === view.place ? 'page' : undefined}>${title}</a>`,
          )}
        </nav>
        ${health.value?.isolated && tenant() && html`<button class="link" onClick=${forgetTenant}>Another key</button>`}
      </div>
      <${Unusual} of=${unusual.value ?? []} />
    </header>
    <main ref=${main} tabindex="-1" id="main">
      <${Failure} error=${health.error} />
      ${
        health.value &&
        (needsKey(health.value)
          ? html`<${ChooseTenant} />`
          : html`<${View}
              key=${view.path}
              ...${view.given}
              filter=${view.filter}
              onChange=${unusual.again}
            />`)
      }
    </main>
  `;
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
  return html`<div class=${armed > 0 ? 'armed' : 'armed only-clock'} role="status">
    <a href="#/rehearsal">${parts.join(', ')}</a>
  </div>`;
}

const needsKey = ({ isolated }) => isolated && tenant() === '';

function forgetTenant() {
  chooseTenant('');
  location.reload();
}

/** With --isolate each API key has data of its own, so the page asks whose data it shows. */
function ChooseTenant() {
  const [key, setKey] = useState('');
  const [error, setError] = useState(null);
  const choose = async (event) => {
    event.preventDefault();
    chooseTenant(key);
    try {
      await call('GET', 'overview');
      location.reload();
    } catch (failure) {
      chooseTenant('');
      setError(failure);
    }
  };
  return html`<h1>Whose data?</h1>
    <p class="lead">
      This server runs with <code>--isolate</code>, so each API key has data, clock, faults and requests of
      its own. Name the key that your client uses. It stays in this window.
    </p>
    <form class="form card" onSubmit=${choose}>
      <${Input} label="API key" value=${key} onInput=${setKey} required type="password" />
      <div><button class="main">Show its data</button></div>
      <${Failure} error=${error} />
    </form>`;
}

render(html`<${App} />`, document.querySelector('#page'));
