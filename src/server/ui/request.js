import { html, useState } from './htm.js';
import { Json } from './json.js';
import { get, send } from './api.js';
import { accountHref } from './overview.js';
import { NoBodies } from './bodies.js';
import { Conflicts, repetitionsText } from './conflicts.js';
import { FaultFacts } from './fault-facts.js';
import { listHref } from './requests.js';
import {
  Authority,
  Brief,
  Confirm,
  Copy,
  count,
  Data,
  Failure,
  quoted,
  Status,
  useAction,
  useLoaded,
  withCode,
} from './parts.js';

const RESOURCES = ['notes', 'transactions', 'statements', 'payment-instructions'];

export const useRequest = (seq) => useLoaded(() => get(`requests/${encodeURIComponent(seq)}`), [seq], 0);

export function Request({ seq }) {
  const { value, error, again } = useRequest(seq);
  if (!value)
    return html`<h1>Request ${seq}</h1>
      <${Gone} error=${error} />`;
  const { request_body: body, response_body: answer, problems } = value;
  const isRefused = value.status !== null && value.status >= 400 && !value.by_fault;
  return html`
    <div class="head">
      <h1>Request ${value.seq}</h1>
      <div class="actions">
        ${isRefused && RESOURCES.includes(value.endpoint) && html`<a class="button" href=${`#/requests/${seq}/why`}>Why was this refused?</a>`}
        <${Copy} text=${curlOf(value)} label="Copy as curl" />
        ${body !== undefined && RESOURCES.includes(value.endpoint) && html`<${SendAgain} request=${value} />`}
      </div>
    </div>
    <section class="card">
      <dl class="facts">
        <dt>Request</dt>
        <dd>
          <code>${value.method} <${Data} text=${value.path + (value.query && `?${value.query}`)} /></code>
        </dd>
        <dt>Answer</dt>
        <dd>
          <${Status} status=${value.status} />${' '}
          ${value.status === null && 'The connection ended without a whole answer.'}
        </dd>
        <${FaultFacts} request=${value} />
        ${
          value.external_account_number !== null &&
          html`<dt>Account</dt>
            <dd>
              <a href=${accountHref(value)}><${Brief} text=${value.external_account_number} /></a> of${' '}
              <${Brief} text=${value.import_supplier} />
            </dd>`
        }
        ${
          value.records !== null &&
          html`<dt>Records</dt>
            <dd>
              ${count(value.records)}${value.repetitions && ` (${repetitionsText(value.repetitions)})`}
            </dd>`
        }
        <dt>Time</dt>
        <dd>${value.at}, ${value.duration_ms} ms</dd>
        <dt>Size</dt>
        <dd>
          ${count(value.request_bytes)} bytes sent,${' '}
          ${value.response_bytes === null ? 'no whole answer' : `${count(value.response_bytes)} bytes answered`}
        </dd>
      </dl>
    </section>
    ${problems.length > 0 && !value.by_fault && html`<${Problems} problems=${problems} />`}
    <${Conflicts} request=${value} />
    ${
      body === undefined && answer === undefined
        ? html`<${NoBodies} request=${value} onDone=${again} />`
        : html`<div class="two">
            ${
              body === undefined
                ? value.method !== 'GET' && html`<${NoBodies} request=${value} onDone=${again} />`
                : html`<section class="card">
                    <h2>Body</h2>
                    <${Json}
                      text=${body}
                      attrs=${problems.map(({ attr }) => attr).filter((attr) => attr !== '')}
                      label="Body of the request"
                    />
                    ${isCut(value) && html`<${Cut} />`}
                  </section>`
            }
            <section class="card">
              <h2>Answer</h2>
              <${Json} text=${answer ?? ''} label="Body of the answer" />
            </section>
          </div>`
    }
    <p><a href=${listHref()}>Back to the requests</a></p>
  `;
}

/** Whether the log has only the beginning of the body. A character may have several bytes. */
const isCut = ({ request_body: body, request_bytes: bytes }) =>
  body.length < bytes && new Blob([body]).size < bytes;

const Cut = () => html`<p class="soft small">The log keeps the first MiB of a body.</p>`;

export function Gone({ error }) {
  if (error?.status !== 404) return html`<${Failure} error=${error} />`;
  return html`<p class="note">
    The log does not have this request any more. A reset and a restart empty it, and it keeps the last
    100,000.
  </p>`;
}

/** The problems of an answer, each with its rule and the next step. */
function Problems({ problems }) {
  return html`<section class="card red">
    <h2>What is wrong</h2>
    <ul class="plain-list">
      ${problems.map((problem) => html`<li class="entry"><${Problem} problem=${problem} /></li>`)}
    </ul>
  </section>`;
}

export function Problem({ problem }) {
  const { code, attr, detail, sentence, next, rules } = problem;
  const parts = attr.split('.');
  const field = attr === '' ? '' : parts.findLast((part) => !/^\d+$/.test(part));
  const index = parts.find((part) => /^\d+$/.test(part));
  return html`
    <div class="line">
      <strong
        >${field && html`<code><${Data} text=${field} /></code> `}<${Data} text=${detail || sentence || code}
      /></strong>
      <code class="soft"><${Brief} text=${code} /></code>
    </div>
    ${
      attr &&
      html`<p class="small soft">
        ${index !== undefined && `Record ${count(Number.parseInt(index, 10) + 1)} of the request, `}at${' '}
        <code><${Data} text=${attr} /></code>
      </p>`
    }
    ${next && html`<p>${withCode(next)}</p>`}
    ${rules.map(
      ({ authority, source, says }) =>
        html`<p class="small">
          <${Authority} of=${authority} /> ${withCode(says)} <span class="soft">(${withCode(source)})</span>
        </p>`,
    )}
    <p class="small soft">More: <code>dataimport explain ${code}</code></p>
  `;
}

/** The request for a terminal. The token stays out of it. */
export function curlOf({ method, path, query: search, request_body: body }) {
  const url = quoted(location.origin + path + (search ? `?${search}` : ''));
  const lines = [`curl -sS -X ${method} ${url}`, `  -H "Authorization: Token $TOKEN"`];
  if (body !== undefined)
    lines.push(`  -H 'content-type: application/json'`, `  --data-binary ${quoted(body)}`);
  return lines.join(' \\\n');
}

function SendAgain({ request }) {
  if (isCut(request)) return null;
  return html`<${Send}
    request=${request}
    body=${request.request_body}
    label="Send again"
    title="Send this request again?"
  >
    <p>
      This changes the ledger: the platform judges the request as it would any other, and stores what it
      accepts. Faults and latency apply.
    </p>
  <//>`;
}

/** A button that sends a body to the interface, after a question. */
export function Send({ request, body, label, title, children }) {
  const [isAsked, setAsked] = useState(false);
  const { run, busy, shown } = useAction(async () => {
    setAsked(false);
    const { status } = await send({ path: request.path, query: request.query, body });
    return `Answered with ${status}.`;
  });
  return html`
    <button onClick=${() => setAsked(true)} disabled=${busy}>${label}</button>
    ${
      isAsked &&
      html`<${Confirm} title=${title} yes="Send" onYes=${run} onNo=${() => setAsked(false)}>${children}<//>`
    }
    ${shown}
  `;
}
