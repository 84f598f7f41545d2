// Snapshots, and the way back to the seed.
import { html, useState } from './htm.js';
import { call, get } from './api.js';
import { CommandLine, count, Failure, Input, quoted, useAction, useLoaded } from './parts.js';

/** What cannot be taken back: its question, method and path. `of` is the name of a snapshot. */
const ACTS = {
  replace: (of) => [`Replace the snapshot ${of}?`, 'PUT', `snapshots/${encodeURIComponent(of)}`],
  restore: (of) => [
    `Replace everything stored now by ${of}?`,
    'POST',
    `snapshots/${encodeURIComponent(of)}/restore`,
  ],
  delete: (of) => [`Delete the snapshot ${of}?`, 'DELETE', `snapshots/${encodeURIComponent(of)}`],
  reset: () => ['Drop all records and the log of requests?', 'POST', 'reset'],
};

export function Snapshots() {
  const { value, error, again } = useLoaded(() => get('snapshots'), [], 0);
  const [name, setName] = useState('before-push');
  const snapshots = value?.snapshots ?? [];
  const names = snapshots.map((each) => each.name);
  const change = useAction(async (method, path) => {
    await call(method, path);
    return 'Done.';
  }, again);
  const ask = (act, of) => {
    const [question, method, path] = ACTS[act](of);
    if (confirm(question)) void change.run(method, path);
  };
  const onSave = () => {
    if (names.includes(name)) ask('replace', name);
    else void change.run('PUT', `snapshots/${encodeURIComponent(name)}`);
  };
  return html`<section class="card" aria-labelledby="snapshots">
    <h2 id="snapshots">Snapshots</h2>
    <${Failure} error=${error} />
    <form class="form" onSubmit=${onSave}>
      <${Input} label="Name" className="grow" value=${name} onChange=${setName} required />
      <button disabled=${change.busy}>Save everything stored</button>
    </form>
    <${CommandLine} line=${`dataimport admin snapshot save ${quoted(name)}`} />
    ${
      names.length > 0 &&
      html`<ul class="plain-list">
        ${snapshots.map(
          ({ name: of, written_at: at, bytes }) =>
            html`<li class="entry" key=${of}>
              <div class="line">
                <span
                  ><strong>${of}</strong> <span class="soft small">${at}, ${count(bytes)} bytes</span></span
                >
                <span class="actions">
                  <button onClick=${() => ask('restore', of)}>
                    Restore<span class="unseen"> ${of}</span>
                  </button>
                  <button class="danger" onClick=${() => ask('delete', of)}>
                    Delete<span class="unseen"> ${of}</span>
                  </button>
                </span>
              </div>
              <${CommandLine} line=${`dataimport admin snapshot restore ${quoted(of)}`} />
            </li>`,
        )}
      </ul>`
    }
    ${change.shown}
    <h3>Back to the seed</h3>
    <p>Drops all records and the log of requests. Snapshots, clock and faults stay.</p>
    <div class="actions">
      <button class="danger" onClick=${() => ask('reset')} disabled=${change.busy}>Reset</button>
    </div>
    <${CommandLine} line="dataimport admin reset" />
  </section>`;
}
