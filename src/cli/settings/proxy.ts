import { AppError } from '../../core/app-error.ts';
import type { Io } from '../outside/io.ts';
import { isLoopback } from './parsers.ts';

/** Proxies that the environment names. Empty texts where it names none. */
export interface NamedProxies {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  /** Hosts that need no proxy, as the environment lists them. */
  readonly noProxy: string;
}

/**
 * The proxies on the way to an address: HTTPS_PROXY, else HTTP_PROXY, except for the hosts of NO_PROXY. As with curl, the lower case
 * spelling goes before the upper case, and an empty variable means no proxy. Undefined without a proxy, and always for this machine.
 * @throws AppError `setting_invalid`, which never shows the value, because it may contain a password
 */
export function proxiesTo(baseUrl: string, env: Io['env']): NamedProxies | undefined {
  if (isLoopback(new URL(baseUrl).hostname)) return undefined;
  const httpProxy = proxyAddress('http_proxy', env);
  const httpsProxy = proxyAddress('https_proxy', env);
  if (httpProxy === '' && httpsProxy === '') return undefined;
  return { httpProxy, httpsProxy, noProxy: given('no_proxy', env)?.text ?? '' };
}

const PROXY = 'an address such as http://proxy.example:3128, or none';

function proxyAddress(name: string, env: Io['env']): string {
  const found = given(name, env);
  if (!found || found.text === '') return '';
  const { text, variable } = found;
  const wrong = (reason: string): AppError =>
    new AppError('setting_invalid', { setting: 'of the proxy', source: variable, reason, accepted: PROXY });
  // curl and others accept `proxy.example:3128`.
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (/\s/.test(text) || !URL.canParse(address)) throw wrong('it is no address');
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw wrong('a proxy is reached by http:// or https:// here');
  if (!isDecodable(url.username) || !isDecodable(url.password))
    throw wrong('a % in its user name or password has to be written %25');
  return url.href;
}

function given(name: string, env: Io['env']): { text: string; variable: string } | undefined {
  for (const variable of [name, name.toUpperCase()]) {
    const text = env[variable];
    if (text !== undefined) return { text: text.trim(), variable };
  }
  return undefined;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
