// Bodies in the log of requests.
import { html } from './htm.js';
import { takesBody } from './sending.js';

/** Why the log has no body of a request. */
export function NoBodies({ request }) {
  const { endpoint, status, request_bytes: bytes } = request;
  if (endpoint === 'token')
    return html`<p class="note">The bodies of a request for a token are secrets, so they are never kept.</p>`;
  if (takesBody(request) && bytes === 0)
    return html`<p class="note">
      The server did not read the body of this request: ${status === null ? 'the connection ended before' : `it answered ${status} by the head of the request alone`}.
    </p>`;
  return html`<p class="note">
    The body of this request has been dropped: the log keeps the newest bodies, as far as its memory reaches.
  </p>`;
}
