import type { IncomingHttpHeaders } from 'node:http';

/** What a browser says of a request that nobody but this server's own page, or the user, has caused (Fetch Metadata). */
const OWN = new Set(['same-origin', 'none']);

/**
 * Whether a page of another site sent the request. Programs send neither header; a browser sends the first with every
 * request that could change something, and the second with all of them.
 */
export function isFromForeignPage(headers: IncomingHttpHeaders): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  // The Host header has been held against the names of this server before.
  if (origin !== undefined && origin.toLowerCase() !== `http://${headers.host?.toLowerCase()}`) return true;
  return site !== undefined && !OWN.has(String(site));
}
