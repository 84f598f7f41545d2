// Calls of the admin API by the page. No other file of the page uses the network.

/** An answer of the server that is no success. */
class Refused extends Error {
  constructor(status, body) {
    super(reasonIn(status, body));
    this.status = status;
  }
}

function reasonIn(status, body) {
  const problems = (body?.errors ?? []).map(({ attr, detail }) => (attr ? `${attr}: ${detail}` : detail));
  return problems.join('\n') || body?.detail || `the server answered ${status}`;
}

/** @throws Refused, or TypeError when the server does not answer */
export async function call(method, path, body) {
  const sent = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) };
  const answer = await fetch(`/_local/${path}`, { method, ...(method !== 'GET' && sent) });
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

/** The path of an account, both of the admin API and of its view. */
export const accountPath = (supplier, number) =>
  `accounts/${encodeURIComponent(supplier)}/${encodeURIComponent(number)}`;

/** A filter for this account number alone. Without quotes a filter finds every number that contains it. */
export const exactly = (number) => `"${number}"`;
