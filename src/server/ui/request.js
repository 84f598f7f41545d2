import { html } from './htm.js';
import { Json } from './json.js';
import { get } from './api.js';
import { accountHref } from './overview.js';
import { NoBodies } from './bodies.js';
import { Conflicts, repetitionsText } from './conflicts.js';
import { FaultFacts } from './fault-facts.js';
import { listHref } from './requests.js';
import { Brief, count, Data, Failure, Status, toleratedText, useLoaded } from './parts.js';
import { Problem } from './problem.js';
import { CopyCurl, SendAgain, takesBody } from './sending.js';

const RESOURCES = ['notes', 'transactions', 'statements', 'payment-instructions'];

export const useRequest = (seq) => useLoaded(() => get(`requests/${encodeURIComponent(seq)}`), [seq], 0);

export function Request({ seq }) {
  const { value, error } = useRequest(seq);
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
        <${CopyCurl} request=${value} />
        ${body !== undefined && RESOURCES.includes(value.endpoint) && html`<${SendAgain} request=${value} />`}
      </div>
    </div>
    <section class="card">
      <dl class="facts">
        <dt>Request</dt>
        <dd>
          <code>${value.method} <${Data} text=${value.path + (value.query && `?${value.query}`)} /></code>${' '}
          ${isAddressCut(value) && html`<span class="soft small">The log keeps the first 1,024 characters of path and query.</span>`}
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
        ${
          value.tolerated &&
          html`<dt>Tolerated</dt>
            <dd>${toleratedText(value.tolerated)}. --strict refuses them.</dd>`
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
    ${problems.length > 0 && !value.by_fault && html`<${Problems} request=${value} />`}
    <${Conflicts} request=${value} />
    ${
      body === undefined && answer === undefined
        ? html`<${NoBodies} request=${value} />`
        : html`<div class="two">
            ${
              body === undefined
                ? takesBody(value) && html`<${NoBodies} request=${value} />`
                : html`<section class="card">
                    <h2>Body</h2>
                    <${Json}
                      text=${body}
                      attrs=${problems.map(({ field }) => field).filter((field) => field !== '')}
                      related=${problems.flatMap(({ related }) => related)}
                      label="Body of the request"
                    />
                    ${value.cut?.includes('request_body') && html`<${Cut} />`}
                  </section>`
            }
            <section class="card">
              <h2>Answer</h2>
              <${Json} text=${answer ?? ''} label="Body of the answer" />
              ${value.cut?.includes('response_body') && html`<${Cut} />`}
            </section>
          </div>`
    }
    <p><a href=${listHref()}>Back to the requests</a></p>
  `;
}

const isAddressCut = ({ cut = [] }) => cut.includes('path') || cut.includes('query');

const Cut = () => html`<p class="soft small">The log keeps the first MiB of a body.</p>`;

export function Gone({ error }) {
  if (error?.status !== 404) return html`<${Failure} error=${error} />`;
  return html`<p class="note">
    The log does not have this request any more. A reset and a restart empty it, and it keeps the last
    100,000, or fewer when they fill its memory.
  </p>`;
}

/** The account that a request names; null without one. */
export const accountOf = ({ import_supplier: supplier, external_account_number: number }) =>
  supplier === null || number === null ? null : { supplier, number };

/** The problems of an answer, each with its rule and the next step. */
function Problems({ request }) {
  return html`<section class="card red">
    <h2>What is wrong</h2>
    <ul class="plain-list">
      ${request.problems.map(
        (problem) =>
          html`<li class="entry">
            <${Problem} problem=${problem} body=${request.request_body} account=${accountOf(request)} />
          </li>`,
      )}
    </ul>
  </section>`;
}
