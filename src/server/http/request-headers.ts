import type { IncomingHttpHeaders } from 'node:http';

const JSON_IN_UTF8 = /^application\/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*"?utf-?8"?[ \t]*)?;?[ \t]*$/i;

/**
 * Whether the headers announce uncompressed JSON in UTF-8. A browser asks before it sends such a body to another site,
 * and this server never allows it, so no foreign page can post here.
 */
export function isJson(headers: IncomingHttpHeaders): boolean {
  const isCompressed = (headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity';
  return JSON_IN_UTF8.test(headers['content-type'] ?? '') && !isCompressed;
}

/** The values of Fetch Metadata for requests of this server's own page, or of the user. */
const OWN_SITES = new Set(['same-origin', 'none']);

/**
 * Whether a page of another site sent the request. A browser sends `Origin` with every request that could change
 * something, and `Sec-Fetch-Site` with every request. Programs send neither.
 */
export function isFromForeignPage(headers: IncomingHttpHeaders): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  // An earlier guard has checked that the Host header names this server.
  if (origin !== undefined && origin.toLowerCase() !== `http://${headers.host?.toLowerCase()}`) return true;
  return site !== undefined && !OWN_SITES.has(String(site));
}

/** Whether a browser opens the address as a page of its own, as after a click on a link. Neither a script nor a frame does that. */
export function isOpenedAsPage({ origin, ...headers }: IncomingHttpHeaders): boolean {
  return (
    origin === undefined &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document'
  );
}

/** Whether this server can meet the `Expect` header. */
export function isExpectationKnown({ expect }: IncomingHttpHeaders): boolean {
  return expect === undefined || expect.toLowerCase() === '100-continue';
}
