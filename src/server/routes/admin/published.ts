import { openApiDocument } from '../../openapi/document.ts';
import { seedJsonSchema } from '../../seed/seed-schema.ts';
import type { Identity } from './health.ts';
import type { Route } from '../route.ts';

/** GET /_local/openapi.json and /_local/seed.schema.json: what the server takes and answers, for programs. */
export function publishedRoutes({ version }: Identity): readonly Route[] {
  const published = { method: 'GET', access: 'loopback', worldless: true } as const;
  return [
    {
      ...published,
      path: '/_local/openapi.json',
      answer: () => ({ status: 200, body: openApiDocument(version) }),
    },
    {
      ...published,
      path: '/_local/seed.schema.json',
      answer: () => ({ status: 200, body: seedJsonSchema() }),
    },
  ];
}
