import { faultPlanJsonSchema } from '../../faults/plan.ts';
import { openApiDocument } from '../../openapi/document.ts';
import { seedJsonSchema } from '../../seed/seed-file.ts';
import type { Call, Route } from '../route.ts';

/** Documents for programs and editors: OpenAPI, and the JSON Schemas of seeds and fault plans. */
export const publishedRoutes: readonly Route[] = [
  published('/_local/openapi.json', ({ tenant }) => openApiDocument(tenant.server.identity.version)),
  published('/_local/seed.schema.json', seedJsonSchema),
  published('/_local/faults/schema', faultPlanJsonSchema),
];

function published(path: string, document: (call: Call) => object): Route {
  return {
    method: 'GET',
    path,
    access: 'loopback',
    tenantless: true,
    answer: (call) => ({ status: 200, body: document(call) }),
  };
}
