// Snapshots.
import { html, useState } from './htm.js';
import { call, get, segment } from './api.js';
import { CommandLine, Confirm, count, Failure, Input, quoted, useAction, useLoaded } from './parts.js';

/** The actions that cannot be taken back, each with its question. */
const QUESTIONS = {
  save: {
    title: (name) => `Replace the snapshot ${name}?`,
    yes: 'Replace',
    text: 'There is a snapshot of this name already. It cannot be brought back.',
  },
  restore: {
    title: (name) => `Restore ${name}?`,
    yes: 'Restore',
    text: 'Everything stored now is replaced. Save a snapshot first if you need it.',
  },
  delete: {
    title: (name) => `Delete the snapshot ${name}?`,
    yes: 'Delete',
    text: 'It cannot be brought back.',
  },
};

/** A name that no snapshot has. */
function freeName(names) {
  const first = 'before-push';
  for (let count = 1; ; count++) {
    const name = count === 1 ? first : `${first}-${count}`;
    if (!names.includes(name)) return name;
  }
}

export function Snapshots() {
  const { value, error, again } = useLoaded(() => get('snapshots'), [], 0);
  const [typed, setTyped] = useState(null);
  const [asked, setAsked] = useState(null);
  const names = (value?.snapshots ?? []).map((each) => each.name);
  const name = typed ?? freeName(names);
  const save = useAction(async () => {
    setAsked(null);
    await call('PUT', `snapshots/${segment(name)}`);
    setTyped(null);
    return `Saved ${name}.`;
  }, again);
  const change = useAction(async ({ act, of }) => {
    setAsked(null);
    await (act === 'delete'
      ? call('DELETE', `snapshots/${segment(of)}`)
      : call('POST', `snapshots/${segment(of)}/restore`));
    return act === 'delete' ? `Deleted ${of}.` : `Restored ${of}.`;
  }, again);
  const onSave = (event) => {
    event.preventDefault();
    if (names.includes(name)) setAsked({ act: 'save', of: name });
    else void save.run();
  };
  return html`<section class="card" aria-labelledby="snapshots">
    <h2 id="snapshots">Snapshots</h2>
    <${Failure} error=${error} />
    <form class="form" onSubmit=${onSave}>
      <${Input} label="Name" className="grow" value=${name} onInput=${setTyped} required />
      <button disabled=${save.busy}>Save everything stored</button>
    </form>
    ${save.shown}
    <${CommandLine} line=${`dataimport admin snapshot save ${quoted(name)}`} />
    ${
      names.length > 0 &&
      html`<ul class="plain-list">
          ${value.snapshots.map(
            (snapshot) =>
              html`<li class="entry" key=${snapshot.name}>
                <div class="line">
                  <span
                    ><strong>${snapshot.name}</strong>${' '}
                    <span class="soft small"
                      >${snapshot.written_at}, ${count(snapshot.bytes)} bytes</span
                    ></span
                  >
                  <span class="actions">
                    <button onClick=${() => setAsked({ act: 'restore', of: snapshot.name })}>
                      Restore<span class="unseen"> ${snapshot.name}</span>
                    </button>
                    <button class="danger" onClick=${() => setAsked({ act: 'delete', of: snapshot.name })}>
                      Delete<span class="unseen"> ${snapshot.name}</span>
                    </button>
                  </span>
                </div>
                <${CommandLine} line=${`dataimport admin snapshot restore ${snapshot.name}`} />
              </li>`,
          )}
        </ul>
        ${change.shown}`
    }
    ${
      asked &&
      html`<${Confirm}
        title=${QUESTIONS[asked.act].title(asked.of)}
        yes=${QUESTIONS[asked.act].yes}
        onYes=${() => (asked.act === 'save' ? save.run() : change.run(asked))}
        onNo=${() => setAsked(null)}
      >
        <p>${QUESTIONS[asked.act].text}</p>
      <//>`
    }
  </section>`;
}
