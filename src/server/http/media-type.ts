import type { IncomingHttpHeaders } from 'node:http';

const JSON_IN_UTF8 = /^application\/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*"?utf-?8"?[ \t]*)?;?[ \t]*$/i;

/**
 * Whether a body says that it is JSON in UTF-8, uncompressed. A browser asks first before it sends such a body to
 * another site, and we never allow it; so no page can post to this server.
 */
export function isJson(headers: IncomingHttpHeaders): boolean {
  const encoding = headers['content-encoding'] ?? 'identity';
  return JSON_IN_UTF8.test(headers['content-type'] ?? '') && encoding.toLowerCase() === 'identity';
}

/** The same for a body of one JSON document a line; a browser asks first before it sends that, too. */
export function isNdJson(headers: IncomingHttpHeaders): boolean {
  const encoding = headers['content-encoding'] ?? 'identity';
  return headers['content-type'] === 'application/x-ndjson' && encoding.toLowerCase() === 'identity';
}
