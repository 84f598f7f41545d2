// One account: its state, what makes it take data, and its records.
import { html, useRef, useState } from './htm.js';
import { accountPath, call, exactly, get, query } from './api.js';
import { Json } from './json.js';
import {
  accountHref,
  Brief,
  CommandLine,
  count,
  Data,
  Failure,
  ImportState,
  money,
  plural,
  quoted,
  Tag,
  toTop,
  useAction,
  useLoaded,
} from './parts.js';

/** Records in one request. */
const PAGE = 100;

/** The records of an account: resource, title, and the parts of one record. */
const SECTIONS = [
  ['notes', 'Notes', NoteEntry],
  ['transactions', 'Ledger', TransactionEntry],
  ['statements', 'Statements', StatementEntry],
  ['payment-instructions', 'Payment instruction', InstructionEntry],
];

export function Account({ given: [supplier, number] }) {
  const path = accountPath(supplier, number);
  const { value, error, again } = useLoaded(
    () => get(`${path}/records${query({ resource: 'transactions', limit: 1 })}`),
    [path],
    0,
  );
  const change = () => {
    again();
    // The button that was pressed goes away.
    toTop();
  };
  if (!value)
    return html`<h1>Account <${Brief} text=${number} /></h1>
      ${
        error?.status === 404
          ? html`<${AccountNow} supplier=${supplier} number=${number} onChange=${change} />`
          : html`<${Failure} error=${error} />`
      }`;
  const { account } = value;
  return html`
    <div class="head">
      <h1>Account <${Brief} text=${account.external_account_number} /></h1>
      <${ImportState} state=${account.state} />
    </div>
    ${account.state !== 'imported' && html`<${AccountNow} supplier=${supplier} number=${number} onChange=${change} />`}
    <section class="card">
      <dl class="facts">
        <dt>Supplier</dt>
        <dd><${Data} text=${account.import_supplier} /></dd>
        <dt>Status for clients</dt>
        <dd>
          ${account.status}${account.status === 'UNKNOWN' && ', as the interface reports every account that is staged or failed'}
        </dd>
        <dt>Platform number</dt>
        <dd>${account.platform_account_number ?? 'none before it is imported'}</dd>
        <dt>Open statement</dt>
        <dd>
          ${account.open_statement ? `${account.open_statement.from} to ${account.open_statement.to}` : 'none, so every date is inside'}
        </dd>
      </dl>
      <p class="actions">
        <a href=${`#/${query({ account: exactly(number) })}`}>Its requests</a>
      </p>
      <${CommandLine}
        line=${`dataimport admin account show ${quoted(number)} --supplier ${quoted(supplier)}`}
      />
    </section>
    ${SECTIONS.map(
      ([resource, title, entry]) =>
        html`<${Section} title=${title} resource=${resource} path=${path} number=${number} entry=${entry} />`,
    )}
    <p><a href="#/accounts">All accounts</a></p>
  `;
}

/** The records of one resource, a page at a time, each with its JSON. */
function Section({ title, resource, path, number, entry: Entry }) {
  const [offset, setOffset] = useState(0);
  const { value, error } = useLoaded(
    () => get(`${path}/records${query({ resource, offset, limit: PAGE })}`),
    [path, offset],
    0,
  );
  const id = `of-${resource}`;
  const all = value?.count ?? 0;
  return html`<section class="card" aria-labelledby=${id}>
    <div class="head">
      <h2 id=${id}>${title}</h2>
      <span class="soft small">${count(all)}</span>
    </div>
    <${Failure} error=${error} />
    ${value && all === 0 && html`<p class="soft">None.</p>`}
    ${
      all > 0 &&
      html`<ul class="plain-list">
        ${value.records.map(
          (record) =>
            html`<li class="entry" key=${record.seq}>
              <${Entry} record=${record} number=${number} />
              <details>
                <summary class="small">JSON of record ${record.seq}</summary>
                <${Json} text=${JSON.stringify(record)} label=${`JSON of record ${record.seq}`} />
              </details>
            </li>`,
        )}
      </ul>`
    }
    ${
      all > PAGE &&
      html`<div class="actions">
        <button disabled=${offset === 0} onClick=${() => setOffset(offset - PAGE)}>Earlier</button>
        <span class="small soft" aria-live="polite"
          >${count(offset + 1)} to ${count(Math.min(offset + PAGE, all))}</span
        >
        <button disabled=${offset + PAGE >= all} onClick=${() => setOffset(offset + PAGE)}>Later</button>
      </div>`
    }
  </section>`;
}

function NoteEntry({ record }) {
  return html`
    <div class="line">
      <span class="small soft"
        >${record.created_at}${record.unpin_at && `, pinned until ${record.unpin_at}`}</span
      >
      ${record.is_pinned && html`<${Tag} kind="warn">pinned<//>`}
    </div>
    <p><${Data} text=${record.body ?? ''} /></p>
    <${Documents} record=${record} />
  `;
}

function TransactionEntry({ record, number }) {
  return html`
    <div class="line">
      <span
        >${record.transaction_date} <${Tag}>${record.type}<//>${' '}
        <code><${Brief} text=${record.transaction_id} /></code>${' '}
        ${
          record.conflicting_replays > 0 &&
          html`<a href=${`#/${query({ account: exactly(number), text: record.transaction_id })}`}
            ><${Tag} kind="warn">sent ${plural(record.conflicting_replays, 'time')} with other content<//></a
          >`
        }</span
      >
      <span class="mono"
        >${money(record.amount)} <span class="soft">balance ${money(record.balance)}</span></span
      >
    </div>
    ${
      (record.reason ?? record.display_note ?? record.note) &&
      html`<p class="small soft">
        <${Data}
          text=${[record.reason, record.display_note, record.note].filter((part) => part).join(' · ')}
        />
      </p>`
    }
  `;
}

function StatementEntry({ record }) {
  return html`
    <div class="line">
      <span
        >${record.bill_period_from_date} to ${record.bill_period_to_date}${' '}
        <code><${Brief} text=${record.statement_id} /></code
      ></span>
      <span class="mono"
        >${record.gross_amount === undefined ? '' : `${money(record.gross_amount)} minor units`}</span
      >
    </div>
    <${Documents} record=${record} />
  `;
}

function InstructionEntry({ record }) {
  return html`<div class="line">
    <span><${Brief} text=${record.vendor} /> <${Tag}>${record.type}<//></span>${' '}
    <code><${Brief} text=${record.reference} /></code>
  </div>`;
}

/** The stored locations of documents. */
function Documents({ record }) {
  return html`${(record.documents ?? []).map(
    (location) =>
      html`<p class="small">
        Document: <code><${Data} text=${location} /></code>
      </p>`,
  )}
  ${(record.warnings ?? []).map((code) => html`<p class="small"><${Tag} kind="warn">${code}<//></p>`)}`;
}

// ---- The account as it is now

/** The state of an account and of its supplier, each with the button and the command that let it take data. */
export function AccountNow({ supplier, number, onChange }) {
  const { value, again } = useLoaded(() => stateOf(supplier, number), [supplier, number], 0);
  const box = useRef(null);
  const act = useAction(
    async (work) => work(),
    () => {
      // The button that was pressed goes away.
      box.current?.focus();
      again();
      onChange?.();
    },
  );
  if (!value) return null;
  const { status, state } = value;
  const command = (step) =>
    `dataimport admin account ${step} ${quoted(number)} --supplier ${quoted(supplier)}`;
  const put = (next) => call('PUT', accountPath(supplier, number), { state: next });
  const button = (label, work, ...lines) =>
    html`<div class="actions">
        <button onClick=${() => act.run(work)} disabled=${act.busy}>${label}</button>
      </div>
      ${lines.map((line) => html`<${CommandLine} line=${line} />`)}`;
  return html`<div class="note stack" ref=${box} tabindex="-1">
    ${status === undefined && html`<p>There is no supplier <${Brief} text=${supplier} />. A seed adds it.</p>`}
    ${
      status !== undefined &&
      status !== 'Ongoing' &&
      html`<p>
          Supplier <${Brief} text=${supplier} /> is <${Tag} kind="warn">${status}<//>, so the platform refuses
          all its requests.
        </p>
        ${button(
          'Set it to Ongoing',
          () => call('PUT', `suppliers/${encodeURIComponent(supplier)}`, { status: 'Ongoing' }),
          `dataimport admin supplier ${quoted(supplier)} --status Ongoing`,
        )}`
    }
    ${
      state === 'imported' &&
      html`<p>
        Account <a href=${accountHref({ import_supplier: supplier, external_account_number: number })}><${Brief} text=${number} /></a>${' '}
        is <${ImportState} state=${state} /> now.
        ${status === 'Ongoing' && ' It takes data, so send the request again.'}
      </p>`
    }
    ${
      state !== undefined &&
      state !== 'imported' &&
      html`<p>
          Account <${Brief} text=${number} /> is <${ImportState} state=${state} />. Only an imported account
          takes data.
        </p>
        ${button('Import it', () => put('imported'), command('import'))}`
    }
    ${
      status !== undefined &&
      state === undefined &&
      html`<p>
          <${Brief} text=${supplier} /> has no account <${Brief} text=${number} />, not even a staged one. A
          seed or this page can add it.
        </p>
        ${button(
          'Add it, imported',
          async () => {
            await put('staged');
            await put('imported');
          },
          command('stage'),
          command('import'),
        )}
        <p><a href=${`#/accounts${query({ import_supplier: supplier })}`}>Accounts of <${Brief} text=${supplier} /></a></p>`
    }
    ${act.shown}
  </div>`;
}

async function stateOf(supplier, number) {
  const { suppliers } = await get('suppliers');
  const status = suppliers.find(({ code }) => code === supplier)?.status;
  try {
    const { account } = await get(
      `${accountPath(supplier, number)}/records${query({ resource: 'notes', limit: 1 })}`,
    );
    return { status, state: account.state };
  } catch (error) {
    if (error.status !== 404) throw error;
    return { status, state: undefined };
  }
}
