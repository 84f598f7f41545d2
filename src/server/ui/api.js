// Calls of the admin API by the page. No other file of the page uses the network.

/** With --isolate: the API key whose data the page shows. It stays in this window. */
let tenantKey = sessionStorage.getItem('tenant') ?? '';

export const tenant = () => tenantKey;

export function chooseTenant(key) {
  tenantKey = key;
  sessionStorage.setItem('tenant', key);
}

/** An answer of the server that is no success. */
class Refused extends Error {
  constructor(status, body) {
    super(reasonIn(status, body));
    this.status = status;
    this.code = body?.code ?? null;
  }
}

function reasonIn(status, body) {
  const problems = (body?.errors ?? []).map(({ attr, detail }) => (attr ? `${attr}: ${detail}` : detail));
  return problems.join('\n') || body?.detail || `the server answered ${status}`;
}

/** @throws Refused, or TypeError when the server does not answer */
export async function call(method, path, body) {
  const headers = { ...(tenantKey && { 'x-dataimport-tenant': tenantKey }) };
  if (method !== 'GET') headers['content-type'] = 'application/json';
  const init = { method, headers, ...(method !== 'GET' && { body: JSON.stringify(body ?? {}) }) };
  const answer = await fetch(`/_local/${path}`, init);
  const parsed = await answer.json().catch(() => null);
  if (!answer.ok) throw new Refused(answer.status, parsed);
  return parsed;
}

export const get = (path) => call('GET', path);

/** `?a=1&b=2` of the values that are not empty. */
export function query(values) {
  const given = Object.entries(values).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

export const segment = encodeURIComponent;

/** A filter for this account number alone. Without quotes a filter finds every number that contains it. */
export const exactly = (number) => `"${number}"`;

/** Server-sent events of a path. A browser cannot give them a header, so the query names the tenant. */
export function events(path, values) {
  return new EventSource(`/_local/${path}${query({ ...values, tenant: tenantKey })}`);
}

/** Sends a request of the interface as a client does, with a token that nobody sees. */
export async function send({ method = 'POST', path, query: search, body }) {
  const { token } = await call('POST', 'token');
  const answer = await fetch(path + (search === '' ? '' : `?${search}`), {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      authorization: `Token ${token}`,
    },
    ...(body !== undefined && { body }),
  });
  return { status: answer.status, body: await answer.text() };
}
