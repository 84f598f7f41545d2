import * as z from 'zod/mini';
import { clockOfInstant, parseInstant, preciseInstantOfClock } from '../../../core/values/instant.ts';
import { NdJson } from '../../ndjson.ts';
import type { RequestLog } from '../../requests/request-log.ts';
import type { Route } from '../route.ts';
import { queryAs } from './admin-input.ts';

const filter = z.strictObject({
  status: z.optional(
    z.custom<string>((value) => typeof value === 'string' && /^([1-5]\d\d|[1-5]xx|none)$/.test(value), {
      params: { code: 'invalid', facts: { expected: 'a status such as 404 or 4xx, or none' } },
    }),
  ),
  path: z.optional(z.string()),
  since: z.optional(
    z.pipe(
      z.custom<string>((value) => typeof value === 'string' && parseInstant(value) !== undefined, {
        params: { code: 'invalid', facts: { expected: 'an instant such as 2026-03-15T12:00:00Z' } },
      }),
      // As the log has its times, so that texts compare as times do.
      z.transform((text) => preciseInstantOfClock(clockOfInstant(text))),
    ),
  ),
});

/** GET /_local/requests: the last requests of the interface, one a line, oldest first. */
export function requestsRoute(requests: RequestLog): Route {
  return {
    method: 'GET',
    path: '/_local/requests',
    access: 'loopback',
    worldless: true,
    answer: (call) => {
      const found = requests.list(queryAs(filter, call));
      return { status: 200, body: new NdJson(found.map((request) => JSON.stringify(request))) };
    },
  };
}
