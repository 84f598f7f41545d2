import { AppError } from '../../core/app-error.ts';
import type { Io } from '../outside/io.ts';
import { isLoopback } from './parsers.ts';

/**
 * The proxies on the way to an address: HTTPS_PROXY, else HTTP_PROXY, except for the hosts of NO_PROXY. As with curl, the lower case
 * spelling goes before the upper case, and an empty variable means no proxy. An empty text is no proxy. Undefined without any, and always
 * for this machine.
 * @throws AppError `setting_invalid`, which never shows the value, because it may contain a password
 */
export function proxiesTo(baseUrl: string, env: Io['env']) {
  if (isLoopback(new URL(baseUrl).hostname)) return undefined;
  const httpProxy = proxyAddress('http_proxy', env);
  const httpsProxy = proxyAddress('https_proxy', env);
  if (httpProxy === '' && httpsProxy === '') return undefined;
  return { httpProxy, httpsProxy, noProxy: given('no_proxy', env).text };
}

const PROXY = 'an address such as http://proxy.example:3128, or none';

function proxyAddress(name: string, env: Io['env']): string {
  const { text, variable } = given(name, env);
  if (text === '') return '';
  try {
    // curl and others accept `proxy.example:3128`.
    const url = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
    decodeURIComponent(url.username + url.password);
    if (/^https?:$/.test(url.protocol) && !/\s/.test(text)) return url.href;
  } catch {
    // The error of an address would show it.
  }
  const reason = 'it is no address of a proxy, or a % in its user name or password is not written %25';
  throw new AppError('setting_invalid', {
    setting: 'of the proxy',
    source: variable,
    reason,
    accepted: PROXY,
  });
}

/** A variable, and its text; empty for one that is not set. */
function given(name: string, env: Io['env']): { text: string; variable: string } {
  const variable = env[name] === undefined ? name.toUpperCase() : name;
  return { text: (env[variable] ?? '').trim(), variable };
}
