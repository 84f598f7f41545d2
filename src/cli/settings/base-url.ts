import type { Reading } from './reading.ts';

/**
 * The address of the platform without its final slash, so that the paths of the interface can be added to it:
 * `https://host/prefix` + `/v1/…`. Only http and https, only an address: a key does not belong in a URL, and a query
 * or fragment would be lost. Keys and customer data may leave this machine over https only.
 */
export function baseUrl(text: string): Reading<string> {
  // `URL` trims, repairs and resolves; an address that needs any of that is more likely a mistake.
  if (!/^https?:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text)) {
    return { reason: 'it must be an address such as https://platform.example' };
  }
  const url = new URL(text);
  if (url.username !== '' || url.password !== '')
    return { reason: 'it must not contain a user name or password' };
  if (/[?#]/.test(text)) return { reason: 'it must not contain a query or fragment' };
  if (url.pathname.includes('//') || /(^|\/)\.{1,2}(\/|$)/.test(text)) {
    return { reason: 'its path has an empty or relative part' };
  }
  const path = url.pathname.replace(/\/$/, '');
  if (path.endsWith('/v1'))
    return { reason: 'it must end before /v1, which every path of the interface begins with' };
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return { reason: 'it is not https and not on this machine', code: 'base_url_insecure' };
  }
  return { value: `${url.origin}${path}` };
}

/** Whether a host of a URL is this machine: nothing that is sent there can be read on the way. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
