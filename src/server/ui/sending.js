// Sending a request of the log once more: from a terminal, or from the page.
import { html, useState } from './htm.js';
import { get, query, send, tenant } from './api.js';
import { Confirm, Copy, count, quoted, Status, useAction } from './parts.js';

/** Whether the log has only the beginning of the address or of the body. */
export const isCut = ({ cut = [] }) => ['path', 'query', 'request_body'].some((name) => cut.includes(name));

/** Whether the server reads the body of such a request. */
export const takesBody = ({ method }) => method === 'POST' || method === 'PUT';

/** Whether the log has all that was sent. A body that the server has not read has no bytes in the log. */
const isKept = (request) => (!takesBody(request) || request.request_body !== undefined) && !isCut(request);

/** The request for a terminal. It gets a token of its own, and the page never shows one. */
function curlOf(request) {
  const { method, path, query: search, request_body: body, endpoint } = request;
  const { origin } = location;
  const url = quoted(origin + path + (search ? `?${search}` : ''));
  const json = `-H 'content-type: application/json'`;
  const lines = [`curl -sS -X ${method} ${url}`];
  if (endpoint !== 'token') lines.push(`  -H "Authorization: Token $TOKEN"`);
  if (takesBody(request))
    lines.push(`  ${json}`, isKept(request) ? `  --data-raw ${quoted(body)}` : '  --data-binary @body.json');
  const command = lines.join(' \\\n');
  if (endpoint === 'token') return command;
  const key = tenant() ? ` -H "x-dataimport-tenant: $KEY"` : '';
  return `TOKEN=$(curl -sS -X POST ${origin}/_local/token ${json}${key} -d '{}' | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')\n${command}`;
}

/** Copies the request as a command. The log may not have its body. */
export function CopyCurl({ request }) {
  return html`<${Copy} text=${curlOf(request)} label="Copy as curl" />
    ${!isKept(request) && html`<span class="small soft">The log does not have the whole body: the command sends <code>body.json</code>.</span>`}`;
}

export function SendAgain({ request }) {
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
  const [sent, setSent] = useState(null);
  const { run, busy, shown } = useAction(async () => {
    setAsked(false);
    setSent(null);
    const before = await newestOf(request);
    const answer = await send({ path: request.path, query: request.query, body });
    setSent({ ...answer, seq: await seqAfter(before, request) });
  });
  return html`
    <button onClick=${() => setAsked(true)} disabled=${busy}>${label}</button>
    ${
      isAsked &&
      html`<${Confirm} title=${title} yes="Send" onYes=${run} onNo=${() => setAsked(false)}>${children}<//>`
    }
    ${shown}
    <div role="status">
      ${
        sent &&
        html`<p class=${`note ${sent.status < 400 ? 'good' : 'bad'}`}>
          Answered with <${Status} status=${sent.status} />${outcomesIn(sent.body)}.${' '}
          ${sent.seq !== null && html`<a href=${`#/requests/${sent.seq}`}>Request ${sent.seq}</a>`}
        </p>`
      }
    </div>
  `;
}

async function newestOf({ endpoint }) {
  const { requests } = await get(`requests/newest${query({ endpoint, limit: 1 })}`);
  return requests[0]?.seq ?? 0;
}

/** The log has a request when its connection is done with it, which may be a moment after the answer. */
async function seqAfter(before, request) {
  for (let turn = 0; turn < 10; turn++) {
    const seq = await newestOf(request);
    if (seq > before) return seq;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return null;
}

/** Status of a record in an answer → words. */
const OUTCOMES = {
  NOTE_CREATION_SUCCESS: 'created',
  TRANSACTION_ADDED_TO_ACCOUNT: 'created',
  NOTE_ALREADY_EXISTS: 'there already',
  TRANSACTION_ALREADY_EXISTS: 'there already',
};

/** `: 1 created, 5 there already`, or nothing for an answer that has no statuses. */
function outcomesIn(text) {
  let answer;
  try {
    answer = JSON.parse(text);
  } catch {
    return '';
  }
  const records = Array.isArray(answer) ? answer : (answer?.results ?? []);
  const words = records.map(({ status }) => OUTCOMES[status]).filter((word) => word);
  const parts = [...new Set(words)].map(
    (word) => `${count(words.filter((each) => each === word).length)} ${word}`,
  );
  return parts.length === 0 ? '' : `: ${parts.join(', ')}`;
}
