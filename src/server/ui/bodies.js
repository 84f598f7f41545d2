// Bodies in the log of requests.
import { html } from './htm.js';
import { call } from './api.js';
import { useAction } from './parts.js';
import { takesBody } from './sending.js';

/** Offers to keep bodies, without which a refusal cannot be shown at its value. */
export function KeepBodies({ onDone }) {
  const { run, busy, shown } = useAction(async () => {
    await call('PUT', 'requests/bodies', { kept: true });
    onDone();
  });
  return html`<div class="note stack">
    <div class="actions">
      <span
        >Bodies are not kept, so a request shows no values. Requests that come from now on can be kept with
        theirs.</span
      >
      <button onClick=${run} disabled=${busy}>Keep bodies</button>
    </div>
    <p class="soft small">
      The same from the start: <code>dataimport serve --log-bodies</code>. Tokens and keys are never kept.
    </p>
    ${shown}
  </div>`;
}

/** Why the log has no body of a request, and how it gets those of later ones. */
export function NoBodies({ request, onDone }) {
  const { endpoint, status, request_bytes: bytes, bodies_kept: areKept } = request;
  if (endpoint === 'token')
    return html`<p class="note">The bodies of a request for a token are secrets, so they are never kept.</p>`;
  if (takesBody(request) && bytes === 0)
    return html`<p class="note">
      The server did not read the body of this request: ${status === null ? 'the connection ended before' : `it answered ${status} by the head of the request alone`}.
    </p>`;
  if (areKept)
    return html`<p class="note">
      Bodies are kept from now on. This request came before, or its body has been dropped since: the log keeps
      the bodies of the last 1,000 requests, as far as its memory reaches.
    </p>`;
  return html`<section class="card">
    <p>The body of this request was not kept.</p>
    <${KeepBodies} onDone=${onDone} />
  </section>`;
}
