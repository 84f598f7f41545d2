// The columns of the list of requests.
import { query } from './api.js';
import { repetitionsText } from './conflicts.js';
import { html } from './htm.js';
import { accountHref } from './overview.js';
import { Brief, count, Status, Tag, Time } from './parts.js';

export const REQUEST_COLUMNS = [
  { title: 'Time', className: 'w-time mono', cell: ({ at }) => html`<${Time} of=${at} />` },
  { title: 'Status', className: 'w-status', cell: ({ status }) => html`<${Status} status=${status} />` },
  {
    title: 'Request',
    cell: (request) => html`<${RowLink} of=${request} /><${NarrowLine} of=${request} />`,
  },
  {
    title: 'Account',
    className: 'w-middle wide-only',
    cell: (request) => html`<${AccountLink} of=${request} />`,
  },
  { title: 'Outcome', className: 'wide-only', cell: (request) => html`<${Outcome} of=${request} />` },
  { title: 'ms', className: 'number w-small wide-only', cell: ({ duration_ms }) => duration_ms },
];

/** The link of a whole row. A list of links names each with its status and account. */
function RowLink({ of: { seq, method, endpoint, path, records, status, external_account_number: account } }) {
  return html`<a class="row-link" href=${`#/requests/${seq}`}
    >${method} ${endpoint === null ? html`<${Brief} text=${path} />` : endpoint}${
      records !== null && html` <span class="soft">× ${count(records)}</span>`
    }<span class="unseen"
      >, request ${seq}, ${status ?? 'no answer'}${account !== null && html`, account <${Brief} text=${account} />`}</span
    ></a
  >`;
}

/** A narrow window has no columns for account and outcome. */
function NarrowLine({ of: request }) {
  const { external_account_number: account, codes, faults = [], by_fault: isByFault, repetitions } = request;
  const cause = isByFault ? faults.map(({ rule }) => rule) : codes;
  const parts = [account, cause.join(', '), repetitions && repetitionsText(repetitions)];
  return html`<span class="narrow-only small soft">
    <${Brief} text=${parts.filter((part) => part).join(' · ')} />
  </span>`;
}

function AccountLink({ of: request }) {
  const { import_supplier: supplier, external_account_number: account } = request;
  if (account === null) return null;
  const text = html`<${Brief} text=${account} />`;
  return supplier === null ? text : html`<a href=${accountHref(request)}>${text}</a>`;
}

/** The faults that took a request, the codes of the platform's own answer, and how many records were there already. */
function Outcome({ of: { faults = [], by_fault: isByFault, codes, repetitions } }) {
  return html`${
    faults.length > 0 &&
    html`<${Tag} kind="warn">fault<//> <${Brief} text=${faults.map(({ rule }) => rule).join(', ')} />${' '}`
  }${
    !isByFault &&
    codes.map(
      (code, index) =>
        html`${index > 0 && ', '}<a href=${`#/requests${query({ code })}`}><${Brief} text=${code} /></a>`,
    )
  }${
    repetitions &&
    html`<span class=${repetitions.conflicts.length > 0 ? 'warn' : 'soft'}
      >${repetitionsText(repetitions)}</span
    >`
  }`;
}
