// Snapshots, and the differences between two of them.
import { html, useState } from './htm.js';
import { call, get, query, segment } from './api.js';
import { accountHref } from './overview.js';
import {
  Brief,
  CommandLine,
  Confirm,
  count,
  Failure,
  ImportState,
  Input,
  money,
  plural,
  quoted,
  Select,
  useAction,
  useLoaded,
} from './parts.js';

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
  const [first, setFirst] = useState('');
  const [second, setSecond] = useState('');
  const [differences, setDifferences] = useState(null);
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
    setDifferences(null);
    return act === 'delete' ? `Deleted ${of}.` : `Restored ${of}.`;
  }, again);
  const onSave = (event) => {
    event.preventDefault();
    if (names.includes(name)) setAsked({ act: 'save', of: name });
    else void save.run();
  };
  const pick = (set) => (chosen) => {
    setDifferences(null);
    set(chosen);
  };
  const before = names.includes(first) ? first : (names[0] ?? '');
  const comparison = (offset) => `snapshots/${segment(before)}/compare${query({ with: second, offset })}`;
  const compared = (offset) => get(comparison(offset));
  const compare = useAction(async () => setDifferences(await compared(0)));
  const more = useAction(async () => {
    const next = await compared(differences.accounts.length);
    setDifferences({ ...next, accounts: [...differences.accounts, ...next.accounts] });
  });
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
                      >${snapshot.written_at ?? 'damaged'}, ${count(snapshot.bytes)} bytes</span
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
        ${change.shown}
        <h3>Compare</h3>
        <form class="form" onSubmit=${(event) => (event.preventDefault(), compare.run())}>
          <${Select}
            label="From"
            className="half grow"
            value=${before}
            options=${names}
            onChange=${pick(setFirst)}
          />
          <${Select}
            label="To"
            className="half grow"
            value=${second}
            options=${[['', 'now'], ...names]}
            onChange=${pick(setSecond)}
          />
          <button disabled=${compare.busy}>Compare</button>
        </form>
        ${compare.shown}
        <${CommandLine} line=${`curl -s ${quoted(`${location.origin}/_local/${comparison()}`)}`} />
        ${differences && html`<${Differences} of=${differences} />`}
        ${
          differences &&
          differences.accounts.length < differences.differing &&
          html`<button onClick=${() => more.run()} disabled=${more.busy}>Show more accounts</button>`
        }
        ${more.shown}`
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

function Differences({ of: { differing, accounts } }) {
  if (differing === 0)
    return html`<p class="note good">Every account has the same state and the same records.</p>`;
  return html`<div class="wide" tabindex="0" role="region" aria-label="Differences">
    <table>
      <caption>
        ${plural(differing, 'account')}${' '}
        differ${differing === 1 ? 's' : ''}${accounts.length < differing ? `, the first ${count(accounts.length)} are shown` : ''}
      </caption>
      <thead>
        <tr>
          <th scope="col">Account</th>
          <th scope="col">What</th>
          <th scope="col" class="number">Records added</th>
          <th scope="col" class="number">Sum before</th>
          <th scope="col" class="number">Sum after</th>
        </tr>
      </thead>
      ${accounts.map((account) => html`<tbody>${rowsOf(account)}</tbody>`)}
    </table>
  </div>`;
}

/** The rows of an account. Its number stands once, beside all of them. */
function rowsOf(account) {
  const { before, after, changes, records, added, removed, changed } = account;
  const moved = html`import ${before ? html`<${ImportState} state=${before} />` : 'none'} →
  ${after ? html`<${ImportState} state=${after} />` : 'none'}`;
  const hidden = added + removed + changed - records.length;
  const rows = [
    ...(before === after ? [] : [{ what: moved }]),
    ...changes.map(({ kind, type, before: was, after: is }) => ({
      what: `${kind.replace('_', ' ')} ${type ?? ''}`,
      added: `${is.count >= was.count ? '+' : '−'}${count(Math.abs(is.count - was.count))}`,
      sums: [money(was.amount), money(is.amount)],
    })),
    ...(records.length === 0
      ? []
      : [
          {
            what: html`<ul class="plain-list small">
              ${records.map((record) => html`<li><${RecordDifference} of=${record} /></li>`)}
              ${hidden > 0 && html`<li>and ${plural(hidden, 'more record')}</li>`}
            </ul>`,
          },
        ]),
  ];
  return rows.map(
    ({ what, added: number = '', sums = ['', ''] }, index) =>
      html`<tr>
        ${
          index === 0 &&
          html`<th scope="rowgroup" rowspan=${rows.length}>
            <a href=${accountHref(account)}><${Brief} text=${account.external_account_number} /></a>
          </th>`
        }
        <td>${what}</td>
        <td class="number">${number}</td>
        <td class="number">${sums[0]}</td>
        <td class="number">${sums[1]}</td>
      </tr>`,
  );
}

function RecordDifference({ of: { change, kind, type, id, amount, text } }) {
  return html`${change} ${kind.replace('_', ' ')} ${type ?? ''}${' '}
  ${id !== null && html`<strong><${Brief} text=${id} /></strong>`}${' '}
  ${amount !== null && money(amount)} ${text !== null && html`“<${Brief} text=${text} />”`}`;
}
