// The view to rehearse with: faults, the clock, and snapshots. Each card has the command that does the same.
import { html, useState } from './htm.js';
import { call, get } from './api.js';
import { Faults } from './faults.js';
import { CommandLine, Failure, Input, Tag, useAction, useLoaded } from './parts.js';
import { Snapshots } from './snapshots.js';

export function Rehearse({ onChange }) {
  return html`
    <h1>Rehearse</h1>
    <div class="two">
      <${Faults} onChange=${onChange} />
      <div class="stack">
        <${Clock} onChange=${onChange} />
        <${Snapshots} />
      </div>
    </div>
  `;
}

function Clock({ onChange }) {
  const { value, error, again } = useLoaded(() => get('clock'), [], 1_000);
  const [typed, setTyped] = useState(null);
  const act = useAction(
    async (path, body, said) => {
      await call('POST', `clock/${path}`, body);
      return said;
    },
    () => {
      again();
      onChange();
    },
  );
  // The field of a browser has no zone. The page means UTC, as the clock does.
  const time = typed ?? value?.now.slice(0, 16) ?? '';
  const now = `${time.length === 16 ? `${time}:00` : time}Z`;
  return html`<section class="card" aria-labelledby="clock">
    <div class="head">
      <h2 id="clock">Clock</h2>
      ${value && html`<span class="mono">${value.now} <${Tag} kind=${value.mode === 'real' ? '' : 'warn'}>${value.mode}<//></span>`}
    </div>
    <${Failure} error=${error} />
    <div class="actions">
      <button onClick=${() => act.run('freeze', {}, 'Frozen.')}>Freeze</button>
      <button onClick=${() => act.run('advance', { seconds: 3_600 }, 'An hour later.')}>An hour later</button>
      <button onClick=${() => act.run('advance', { seconds: 86_400 }, 'A day later.')}>A day later</button>
      <button onClick=${() => act.run('resume', {}, 'Real time again.')}>Real time</button>
    </div>
    <form class="form" onSubmit=${() => act.run('set', { now }, 'Set.')}>
      <${Input}
        label="Time in UTC"
        className="grow"
        type="datetime-local"
        step="1"
        min="1970-01-01T00:00:00"
        max="2199-12-31T23:59:59"
        value=${time}
        onChange=${setTyped}
        required
      />
      <button>Set</button>
    </form>
    ${act.shown}
    <${CommandLine} line=${`dataimport admin clock set ${now}`} />
  </section>`;
}
