import { html, useCallback, useEffect, useRef, useState } from './htm.js';
import { get, query } from './api.js';
import { accountHref } from './overview.js';
import { Brief, count, Failure, ImportState, Input, money, plural, Select, useLoaded } from './parts.js';
import { Rows } from './rows.js';

const STATES = [['', 'any'], 'staged', ['in_progress', 'in progress'], 'imported', 'failed'];

/** Accounts in one request. */
const PAGE = 200;

const countOf = (account, kind) =>
  account.totals.filter((total) => total.kind === kind).reduce((sum, total) => sum + total.count, 0);

const COLUMNS = [
  {
    title: 'Account',
    cell: (account) =>
      html`<a class="row-link" href=${accountHref(account)}><${Brief} text=${account.external_account_number} /></a>`,
  },
  {
    title: 'Supplier',
    className: 'w-middle wide-only',
    cell: ({ import_supplier: code }) => html`<${Brief} text=${code} />`,
  },
  { title: 'State', className: 'w-middle', cell: ({ state }) => html`<${ImportState} state=${state} />` },
  {
    title: 'Notes',
    className: 'number w-small wide-only',
    cell: (account) => count(countOf(account, 'note')),
  },
  {
    title: 'Transactions',
    className: 'number w-middle wide-only',
    cell: (account) => count(countOf(account, 'transaction')),
  },
  {
    title: 'Statements',
    className: 'number w-middle wide-only',
    cell: (account) => count(countOf(account, 'statement')),
  },
  { title: 'Balance', className: 'number w-money', cell: ({ balance }) => money(balance) },
];

export function Accounts({ filter }) {
  const chosen = {
    import_supplier: filter.import_supplier ?? '',
    state: filter.state ?? '',
    search: filter.search ?? '',
  };
  const key = JSON.stringify(chosen);
  const suppliers = useLoaded(() => get('suppliers'), [], 0);
  const [list, setList] = useState({ rows: [], next: '0', count: 0 });
  const [error, setError] = useState(null);
  const round = useRef(0);
  const isLoading = useRef(false);
  const load = async (after, before) => {
    const mine = round.current;
    isLoading.current = true;
    try {
      const page = await get(`accounts${query({ ...chosen, after, limit: PAGE, totals: 'true' })}`);
      if (mine !== round.current) return;
      setList({ rows: [...before, ...page.accounts], next: page.next, count: page.count });
      setError(null);
    } catch (failure) {
      if (mine === round.current) setError(failure);
    }
    if (mine === round.current) isLoading.current = false;
  };
  useEffect(() => {
    round.current += 1;
    void load('0', []);
  }, [key]);
  const more = useCallback(() => {
    if (list.next !== null && !isLoading.current) void load(list.next, list.rows);
  }, [list, key]);
  const change = (name) => (value) => {
    history.replaceState(null, '', `#/accounts${query({ ...chosen, [name]: value })}`);
    dispatchEvent(new HashChangeEvent('hashchange'));
  };
  const codes = (suppliers.value?.suppliers ?? []).map(({ code }) => code);
  return html`
    <div class="head"><h1>Accounts</h1></div>
    <form class="form" role="search" aria-label="Filters" onSubmit=${(event) => event.preventDefault()}>
      <${Input}
        label="Account number contains"
        className="grow"
        value=${chosen.search}
        onInput=${change('search')}
        type="search"
      />
      <${Select}
        label="Supplier"
        className="half"
        value=${chosen.import_supplier}
        options=${[['', 'any'], ...codes]}
        onChange=${change('import_supplier')}
      />
      <${Select}
        label="State"
        className="half"
        value=${chosen.state}
        options=${STATES}
        onChange=${change('state')}
      />
    </form>
    <${Failure} error=${error} />
    <${Rows}
      label="Accounts"
      columns=${COLUMNS}
      rows=${list.rows}
      keyOf=${({ import_supplier, external_account_number }) => `${import_supplier} ${external_account_number}`}
      onEnd=${more}
      total=${list.count}
      empty="No account fits these filters."
    />
    <p class="soft small">
      ${plural(list.count, 'account')}.
      The balance is what the customer owes.
    </p>
  `;
}
