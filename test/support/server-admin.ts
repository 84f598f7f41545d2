import type { Answered, TestPlatform } from './server-platform.ts';

/** Calls the admin API. An object is sent as JSON. */
export function admin(
  platform: Pick<TestPlatform, 'request'>,
  call: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answered> {
  const [method, path] = call.split(' ') as [string, string];
  const sent = method === 'GET' ? undefined : JSON.stringify(body ?? {});
  return platform.request(method, `/_local/${path}`, { ...(sent !== undefined && { body: sent }), headers });
}

/** The documents of an answer with one JSON document a line. */
// oxlint-disable-next-line typescript/no-explicit-any -- as in `Answered`
export function linesOf({ text }: Answered): any[] {
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
}
