// The columns of the list of requests.
import { repetitionsText } from './conflicts.js';
import { html } from './htm.js';
import { Brief, count, Status, Tag, Time } from './parts.js';

export const REQUEST_COLUMNS = [
  { title: 'Time', className: 'w-time mono', cell: ({ at }) => html`<${Time} of=${at} />` },
  { title: 'Status', className: 'w-status', cell: ({ status }) => html`<${Status} status=${status} />` },
  {
    title: 'Request',
    cell: ({ seq, method, endpoint, path, records }) =>
      html`<a href=${`#/requests/${seq}`}
        ><span class="soft">${method}</span>${' '}
        ${endpoint === null ? html`<${Brief} text=${path} />` : endpoint}${
          records !== null && html` <span class="soft">× ${count(records)}</span>`
        }</a
      >`,
  },
  {
    title: 'Account',
    className: 'w-middle wide-only',
    cell: ({ external_account_number: account }) => account !== null && html`<${Brief} text=${account} />`,
  },
  { title: 'Outcome', className: 'wide-only', cell: (request) => html`<${Outcome} of=${request} />` },
  { title: 'ms', className: 'number w-small wide-only', cell: ({ duration_ms }) => duration_ms },
];

/** The faults that took a request, the codes of the platform's own answer, and how many records were there already. */
function Outcome({ of: { faults = [], by_fault: isByFault, codes, repetitions } }) {
  return html`${
    faults.length > 0 &&
    html`<${Tag} kind="warn">fault<//> <${Brief} text=${faults.map(({ rule }) => rule).join(', ')} />${' '}`
  }${!isByFault && html`<${Brief} text=${codes.join(', ')} />`}${
    repetitions &&
    html`<span class=${repetitions.conflicts.length > 0 ? 'warn' : 'soft'}>${repetitionsText(repetitions)}</span>`
  }`;
}
