import { html } from './htm.js';
import { exactly, get, query } from './api.js';
import {
  Brief,
  CommandLine,
  Copy,
  count,
  Data,
  Failure,
  ImportState,
  money,
  plural,
  Tag,
  toleratedText,
  useLoaded,
} from './parts.js';

const EVERY_MS = 2_000;

export function Overview() {
  const { value, error } = useLoaded(() => get('overview'), [], EVERY_MS);
  const suppliers = useLoaded(() => get('suppliers'), [], 0);
  if (!value)
    return html`<h1>Overview</h1>
      <${Failure} error=${error} />`;
  const { counts, requests } = value;
  const records = Object.values(counts.records).reduce((sum, each) => sum + each, 0);
  const tolerated = value.tolerated.amount_as_text + value.tolerated.other_offset;
  const repeated = value.duplicates.length + (value.more_repeated ? '+' : '');
  return html`
    <div class="head">
      <h1>Overview</h1>
      <${Failure} error=${error} />
    </div>
    <dl class="figures">
      <div>
        <dt>Records</dt>
        <dd>${count(records)}</dd>
      </div>
      <div>
        <dt>Accounts</dt>
        <dd>${count(counts.accounts)}</dd>
      </div>
      <div>
        <dt>Requests</dt>
        <dd>${count(requests.requests)}</dd>
      </div>
      <div>
        <dt>Refused</dt>
        <dd class=${requests.refused > 0 ? 'red' : ''}>${count(requests.refused)}</dd>
      </div>
      ${
        requests.failed > 0 &&
        html`<div>
          <dt>Failed</dt>
          <dd class="red">${count(requests.failed)}</dd>
        </div>`
      }
      ${
        requests.by_fault > 0 &&
        html`<div>
          <dt>By faults</dt>
          <dd><a href="#/requests?status=fault">${count(requests.by_fault)}</a></dd>
        </div>`
      }
      ${
        tolerated > 0 &&
        html`<div title=${`${toleratedText(value.tolerated)}. --strict refuses them.`}>
          <dt>Tolerated</dt>
          <dd class="warn">${count(tolerated)}</dd>
        </div>`
      }
      <div>
        <dt>Duplicates</dt>
        <dd class=${value.duplicates.length > 0 ? 'red' : ''}>${repeated}</dd>
      </div>
      <div>
        <dt>Conflicting replays</dt>
        <dd class=${counts.conflicting_replays > 0 ? 'red' : ''}>${count(counts.conflicting_replays)}</dd>
      </div>
    </dl>
    ${records + requests.requests === 0 && html`<${FirstSteps} value=${value} />`}
    <div class="columns">
      <${Stored} value=${value} />
      <${Refusals} value=${value} />
      <${Instance} value=${value} suppliers=${suppliers.value?.suppliers ?? []} />
      <${Environment} value=${value} suppliers=${suppliers.value?.suppliers ?? []} />
      <${Faults} value=${value} />
      <${Repeated} value=${value} />
    </div>
  `;
}

function FirstSteps() {
  return html`<section class="card">
    <h2>Nothing has arrived yet</h2>
    <p>
      Copy the environment lines below into a terminal, then send a file. Its requests show here as they come.
    </p>
    <${CommandLine} line="dataimport push transactions transactions.csv" />
  </section>`;
}

function Stored({ value }) {
  return html`<section class="card">
    <h2>Stored</h2>
    ${
      value.totals.length === 0
        ? html`<p class="soft">No record yet.</p>`
        : html`<div class="wide" tabindex="0" role="region" aria-label="Stored records">
            <table>
              <thead>
                <tr>
                  <th scope="col">Kind</th>
                  <th scope="col" class="number">Records</th>
                  <th scope="col" class="number">Sum</th>
                </tr>
              </thead>
              <tbody>
                ${value.totals.map(
                  ({ kind, type, count: records, amount }) =>
                    html`<tr>
                      <th scope="row">
                        ${kind.replace('_', ' ')} <span class="soft small">${type ?? ''}</span>
                      </th>
                      <td class="number">${count(records)}</td>
                      <td class="number">${money(amount)}</td>
                    </tr>`,
                )}
              </tbody>
            </table>
          </div>`
    }
    <p class="actions">
      ${value.accounts.map(
        ({ state, accounts }) =>
          html`<a class="small" href=${`#/accounts?state=${state}`}
            ><${ImportState} state=${state} /> ${count(accounts)}</a
          >`,
      )}
    </p>
    <p class="soft small">Sums of statements are in minor units.</p>
  </section>`;
}

function Refusals({ value }) {
  const { refusals } = value;
  return html`<section class="card">
    <h2>Top refusals</h2>
    ${
      refusals.length === 0
        ? html`<p class="soft">The platform refused no request.</p>`
        : html`<ul class="plain-list">
            ${refusals.map(
              ({ code, requests, sentence }) =>
                html`<li class="entry">
                  <div class="line">
                    <a href=${`#/requests?code=${encodeURIComponent(code)}`}
                      ><code><${Brief} text=${code} /></code
                    ></a>
                    <span class="small">${plural(requests, 'request')}</span>
                  </div>
                  ${sentence && html`<p class="soft small">${sentence}</p>`}
                </li>`,
            )}
          </ul>`
    }
  </section>`;
}

function Instance({ value, suppliers }) {
  const { clock, contract } = value;
  return html`<section class="card">
    <h2>This server</h2>
    <dl class="facts">
      <dt>Instance</dt>
      <dd><code>${value.instance}</code>, version ${value.version}</dd>
      <dt>Started</dt>
      <dd>${value.started_at}</dd>
      <dt>Clock</dt>
      <dd>${clock.now} ${clock.mode !== 'real' && html`<${Tag} kind="warn">${clock.mode}<//>`}</dd>
      <dt>Database</dt>
      <dd><${Data} text=${value.database} /></dd>
      <dt>Contract</dt>
      <dd>
        ${contract ? html`<${Data} text=${`${contract.title} ${contract.version}`} />` : 'the interface alone'}
      </dd>
      <dt>Suppliers</dt>
      <dd>
        ${suppliers.map(
          ({ code, name, status }, index) =>
            html`${index > 0 && ', '}<${Brief} text=${`${code} (${name})`} />${status !== 'Ongoing' && html` <${Tag} kind="warn">${status}<//>`}`,
        )}
      </dd>
    </dl>
  </section>`;
}

function Environment({ value, suppliers }) {
  const lines = [
    `export DATAIMPORT_BASE_URL=${location.origin}`,
    `export DATAIMPORT_API_KEY=${value.built_in_key ?? '…'}`,
    ...(suppliers.length === 1 ? [`export DATAIMPORT_SUPPLIER=${suppliers[0].code}`] : []),
  ];
  const text = lines.join('\n');
  return html`<section class="card">
    <div class="head">
      <h2>For your terminal</h2>
      <${Copy} text=${text} what="the environment lines" />
    </div>
    <pre class="json" tabindex="0" role="region" aria-label="Environment lines"><div>${text}</div></pre>
    ${!value.built_in_key && html`<p class="soft small">Put a key of your seed in place of the dots. The page never shows keys.</p>`}
  </section>`;
}

function Faults({ value }) {
  const { armed, rules } = value.faults;
  return html`<section class=${`card ${armed ? 'red' : ''}`}>
    <div class="head">
      <h2 class=${armed ? 'bad' : ''}>Faults</h2>
      <a href="#/rehearsal">Change</a>
    </div>
    ${
      rules.length === 0
        ? html`<p class="soft">None armed.</p>`
        : html`<ul class="plain-list">
            ${rules.map(
              ({ rule, hits, spent }) =>
                html`<li class="entry">
                  <code class=${spent ? 'soft' : 'bad'}><${Data} text=${rule} /></code>
                  <span class="small soft"
                    >${hits > 0 ? html`<a href=${`#/requests${query({ text: rule })}`}>${plural(hits, 'hit')}</a>` : plural(hits, 'hit')}${spent ? ', spent' : ''}</span
                  >
                </li>`,
            )}
          </ul>`
    }
  </section>`;
}

function Repeated({ value }) {
  const rows = [...value.duplicates, ...value.conflicting_replays.filter(({ stored }) => stored === 1)];
  return html`<section class="card">
    <h2>Came more than once</h2>
    ${
      rows.length === 0
        ? html`<p class="soft">No transaction is stored twice, and none came again with other content.</p>`
        : html`<ul class="plain-list">
            ${rows.slice(0, 8).map(
              (row) =>
                html`<li class="entry">
                  <div class="line">
                    <a href=${accountHref(row)}
                      ><code><${Brief} text=${row.transaction_id} /></code
                    ></a>
                    <span class="small">
                      ${row.stored > 1 && html`<${Tag} kind="bad">stored ${row.stored} times<//> `}${' '}
                      ${
                        row.conflicting_replays > 0 &&
                        html`<a
                          href=${`#/requests${query({ account: exactly(row.external_account_number), text: row.transaction_id })}`}
                          ><${Tag} kind="warn">${plural(row.conflicting_replays, 'conflicting replay')}<//></a
                        >`
                      }
                    </span>
                  </div>
                  <span class="soft small">account <${Brief} text=${row.external_account_number} /></span>
                </li>`,
            )}
          </ul>`
    }
    ${rows.length > 8 && html`<p class="soft small">And more: <code>dataimport admin ledger --totals --base-url ${location.origin}</code> lists all.</p>`}
  </section>`;
}

export const accountHref = ({ import_supplier, external_account_number }) =>
  `#/accounts/${encodeURIComponent(import_supplier)}/${encodeURIComponent(external_account_number)}`;
