// Snapshots, and the way back to the seed.
import { html, useState } from './htm.js';
import { call, get, segment } from './api.js';
import { CommandLine, count, Failure, Input, quoted, useAction, useLoaded } from './parts.js';

/** What cannot be taken back, each with its question and its call. `of` is the name of a snapshot. */
const ACTS = {
  replace: {
    question: (of) => `Replace the snapshot ${of}? It cannot be brought back.`,
    act: (of) => call('PUT', `snapshots/${segment(of)}`),
    said: (of) => `Saved ${of}.`,
  },
  restore: {
    question: (of) =>
      `Restore ${of}? Everything stored now is replaced. Save a snapshot first if you need it.`,
    act: (of) => call('POST', `snapshots/${segment(of)}/restore`),
    said: (of) => `Restored ${of}.`,
  },
  delete: {
    question: (of) => `Delete the snapshot ${of}? It cannot be brought back.`,
    act: (of) => call('DELETE', `snapshots/${segment(of)}`),
    said: (of) => `Deleted ${of}.`,
  },
  reset: {
    question: () => 'Drop all records and the log of requests? Save a snapshot first if you need them.',
    act: () => call('POST', 'reset'),
    said: () => 'Everything is as the seed says.',
  },
};

export function Snapshots() {
  const { value, error, again } = useLoaded(() => get('snapshots'), [], 0);
  const [name, setName] = useState('before-push');
  const snapshots = value?.snapshots ?? [];
  const names = snapshots.map((each) => each.name);
  const change = useAction(async ({ act, said }, of) => {
    await act(of);
    return said(of);
  }, again);
  const ask = (act, of) => confirm(ACTS[act].question(of)) && change.run(ACTS[act], of);
  const onSave = (event) => {
    event.preventDefault();
    void (names.includes(name) ? ask('replace', name) : change.run(ACTS.replace, name));
  };
  return html`<section class="card" aria-labelledby="snapshots">
    <h2 id="snapshots">Snapshots</h2>
    <${Failure} error=${error} />
    <form class="form" onSubmit=${onSave}>
      <${Input} label="Name" className="grow" value=${name} onInput=${setName} required />
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
              <${CommandLine} line=${`dataimport admin snapshot restore ${of}`} />
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
