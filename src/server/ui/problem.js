import { html } from './htm.js';
import { AccountNow } from './account-now.js';
import { jumpTo } from './json.js';
import { recordOf } from './json-text.js';
import { Authority, Brief, count, Data, withCode } from './parts.js';

/** Where a rule comes from, in words. */
const AUTHORITIES = {
  documented: 'by the interface',
  observed: 'in deployments',
  chosen: 'for this server, where the interface is silent',
  operator: 'by the contract of the operator',
};

/** Codes that the state of an account or supplier explains. */
const OF_ACCOUNT = [
  'account_not_found',
  'import_process_does_not_exist',
  'import_supplier_migration_not_ongoing',
];

/** Whether the state of the account, and no value of the request alone, decides about a problem. */
export const isOfAccount = ({ code }) => OF_ACCOUNT.includes(code);

/** A problem with its place, the next step and its rules. `account` is what the request names; `onChange` runs when it changes. */
export function Problem({ problem, body, account, onChange }) {
  const { code, attr, field, detail, sentence, next, rules } = problem;
  const name = attr === field ? field.split('.').findLast((part) => !/^\d+$/.test(part)) : '';
  const [rule, ...others] = rules;
  return html`
    <div class="line">
      <strong
        >${name && html`<code><${Data} text=${name} /></code>: `}<${Data} text=${detail || sentence || code}
      /></strong>
      <code class="soft"><${Brief} text=${code} /></code>
    </div>
    ${field && html`<${Place} attr=${field} body=${body} />`}
    ${isOfAccount(problem) && account && html`<${AccountNow} ...${account} onChange=${onChange} />`}
    ${next && html`<p><span class="soft">For the client:</span> ${withCode(next)}</p>`}
    ${rule && html`<${Rule} rule=${rule} />`}
    ${
      others.length > 0 &&
      html`<details>
        <summary class="small">
          ${count(others.length)} more ${others.length === 1 ? 'rule has' : 'rules have'} this code
        </summary>
        <div class="stack">${others.map((other) => html`<${Rule} rule=${other} />`)}</div>
      </details>`
    }
    <p class="small soft">More: <code>dataimport explain ${code}</code></p>
  `;
}

function Rule({ rule: { authority, source, says } }) {
  return html`<p class="small">
    <${Authority} of=${authority} /> <span class="soft">${AUTHORITIES[authority]}:</span> ${withCode(says)}${' '}
    <span class="soft">(${withCode(source)})</span>
  </p>`;
}

/** Where a value is: its record by name and number, and its path in it, which is the name of its column. */
function Place({ attr, body }) {
  const record = recordOf(body ?? '', attr) ?? recordOfAttr(attr);
  return html`<p class="small soft">
    ${
      record &&
      html`${record.id !== null && html`${record.noun} <code><${Brief} text=${record.id} /></code>, `}${`record ${count(record.index + 1)}, `}`
    }at${' '}
    <code><${Data} text=${record?.field || attr} /></code>
    ${body !== undefined && html` <button class="link" onClick=${() => jumpTo(attr)}>show it</button>`}
  </p>`;
}

/** The record of a path in a body that is not known. */
function recordOfAttr(attr) {
  const [, index, ...below] = attr.split('.');
  if (!/^\d+$/.test(index ?? '')) return null;
  return { index: Number.parseInt(index, 10), field: below.join('.'), id: null, noun: '' };
}
