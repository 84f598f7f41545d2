// The accounts, with what is stored on each.
import { html } from './htm.js';
import { get, query } from './api.js';
import {
  accountHref,
  Brief,
  count,
  Failure,
  filtersOf,
  ImportState,
  Input,
  money,
  plural,
  Select,
  Table,
  useLoaded,
} from './parts.js';

const STATES = [['', 'any'], 'staged', ['in_progress', 'in progress'], 'imported', 'failed'];

/** The filters, as the address and the server name them. */
const FILTERS = ['search', 'import_supplier', 'state'];

/** Accounts on a page. */
const PAGE = 200;

const counts = (title, kind) => ({
  title,
  className: 'number wide-only',
  cell: ({ totals }) =>
    count(totals.filter((each) => each.kind === kind).reduce((sum, each) => sum + each.count, 0)),
});

const COLUMNS = [
  {
    title: 'Account',
    cell: (account) =>
      html`<a class="row-link" href=${accountHref(account)}><${Brief} text=${account.external_account_number} /></a>
        <span class="narrow-only"><${ImportState} state=${account.state} /></span>`,
  },
  {
    title: 'Supplier',
    className: 'wide-only',
    cell: ({ import_supplier: code }) => html`<${Brief} text=${code} />`,
  },
  {
    title: 'State',
    className: 'w-state wide-only',
    cell: ({ state }) => html`<${ImportState} state=${state} />`,
  },
  counts('Notes', 'note'),
  counts('Transactions', 'transaction'),
  counts('Statements', 'statement'),
  { title: 'Balance', className: 'number w-state', cell: ({ balance }) => money(balance) },
];

export function Accounts({ filter }) {
  const { chosen, field, hrefWith } = filtersOf(FILTERS, 'accounts', filter);
  const suppliers = useLoaded(() => get('suppliers'), [], 0);
  const path = `accounts${query({ ...chosen, after: filter.after, limit: PAGE, totals: 'true' })}`;
  const { value, error } = useLoaded(() => get(path), [path], 0);
  const codes = (suppliers.value?.suppliers ?? []).map(({ code }) => code);
  return html`
    <h1>Accounts</h1>
    <search class="form" aria-label="Filters">
      <${Input} label="Account number contains" className="grow" type="search" ...${field('search')} />
      <${Select} label="Supplier" className="half" options=${[['', 'any'], ...codes]} ...${field('import_supplier')} />
      <${Select} label="State" className="half" options=${STATES} ...${field('state')} />
    </search>
    <${Failure} error=${error} />
    ${
      value &&
      html`<${Table}
          label="Accounts"
          columns=${COLUMNS}
          rows=${value.accounts}
          keyOf=${accountHref}
          empty="No account fits these filters."
          next=${value.next && hrefWith({ after: value.next })}
        />
        <p class="soft small">
          ${plural(value.count, 'account')}${value.count > PAGE && `, ${PAGE} on a page`}.
          The balance is what the customer owes.
        </p>`
    }
  `;
}
