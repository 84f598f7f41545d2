// The account that a request names, as it is now, and what makes it take data.
import { html, useRef } from './htm.js';
import { call, get, query, segment } from './api.js';
import { accountHref } from './overview.js';
import { Brief, CommandLine, ImportState, quoted, Tag, useAction, useLoaded } from './parts.js';

/** Accounts that are shown in place of one that is unknown. */
const MOST_SIMILAR = 5;

/** The state of an account and of its supplier, each with the button that lets it take data. */
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
  const { status, state, similar } = value;
  return html`<div class="note stack" ref=${box} tabindex="-1">
    ${
      status === undefined
        ? html`<p>There is no supplier <${Brief} text=${supplier} />. <a href="#/rehearsal">Suppliers</a></p>`
        : status !== 'Ongoing' && html`<${Supplier} code=${supplier} status=${status} act=${act} />`
    }
    ${
      state !== undefined
        ? html`<${Known} supplier=${supplier} number=${number} state=${state} act=${act} />`
        : html`<${Unknown}
            supplier=${supplier}
            number=${number}
            similar=${similar}
            act=${status === undefined ? null : act}
          />`
    }
    ${act.shown}
  </div>`;
}

async function stateOf(supplier, number) {
  const { suppliers } = await get('suppliers');
  const status = suppliers.find(({ code }) => code === supplier)?.status;
  const path = `accounts/${segment(supplier)}/${segment(number)}`;
  try {
    const { account } = await get(`${path}/records${query({ resource: 'notes', limit: 1 })}`);
    return { status, state: account.state, similar: [] };
  } catch (error) {
    if (error.status !== 404) throw error;
    return { status, state: undefined, similar: await similarTo(number) };
  }
}

/** Accounts whose numbers contain the longest beginning of a number, of any supplier. */
async function similarTo(number) {
  const text = number.trim();
  for (let length = text.length; length > text.length / 2; length--) {
    const search = text.slice(0, length);
    const { accounts } = await get(`accounts${query({ search, limit: MOST_SIMILAR })}`);
    if (accounts.length > 0) return accounts;
  }
  return [];
}

function Supplier({ code, status, act }) {
  const resume = async () => {
    await call('PUT', `suppliers/${segment(code)}`, { status: 'Ongoing' });
    return 'Set to Ongoing.';
  };
  return html`
    <p>
      Supplier <${Brief} text=${code} /> is <${Tag} kind="warn">${status}<//>, so the platform refuses all its
      requests. Here you are the operator.
    </p>
    <div class="actions">
      <button onClick=${() => act.run(resume)} disabled=${act.busy}>Set it to Ongoing</button>
      <a href="#/rehearsal">All suppliers</a>
    </div>
    <${CommandLine} line=${`dataimport admin supplier ${quoted(code)} --status Ongoing`} />
  `;
}

function Known({ supplier, number, state, act }) {
  const account = { import_supplier: supplier, external_account_number: number };
  return html`
    <p>
      Account <a href=${accountHref(account)}><${Brief} text=${number} /></a> is${' '}
      <${ImportState} state=${state} /> now. ${state === 'imported' ? 'It takes data, so validate or send the request again.' : 'Only an imported account takes data.'}
    </p>
    ${state !== 'imported' && html`<${Import} supplier=${supplier} number=${number} act=${act} label="Import it" />`}
  `;
}

function Unknown({ supplier, number, similar, act }) {
  return html`
    <p>
      <${Brief} text=${supplier} /> has no account <${Brief} text=${number} />, not even a staged one. A seed
      or this page can add it.
    </p>
    ${act && html`<${Import} supplier=${supplier} number=${number} act=${act} isNew label="Add it, imported" />`}
    <p>
      ${
        similar.length > 0 &&
        html`Similar:${' '}
        ${similar.map(
          (account, index) =>
            html`${index > 0 && ', '}<a href=${accountHref(account)}
                ><${Brief} text=${account.external_account_number} /></a
              >${account.import_supplier !== supplier && html` of <${Brief} text=${account.import_supplier} />`}`,
        )}.${' '}`
      }
      <a href="#/accounts">All accounts</a>
    </p>
  `;
}

/** Makes an account take data: a new one is staged before. */
function Import({ supplier, number, act, isNew = false, label }) {
  const put = (state) => call('PUT', `accounts/${segment(supplier)}/${segment(number)}`, { state });
  const run = async () => {
    if (isNew) await put('staged');
    await put('imported');
    return 'Imported.';
  };
  const command = (step) =>
    `dataimport admin account ${step} ${quoted(number)} --supplier ${quoted(supplier)}`;
  return html`
    <div class="actions">
      <button onClick=${() => act.run(run)} disabled=${act.busy}>${label}</button>
    </div>
    <${CommandLine} line=${`${isNew ? `${command('stage')} && ` : ''}${command('import')}`} />
  `;
}
