import { openApiDocument } from '../../openapi/document.ts';
import { parity } from '../../parity/parity.ts';
import { seedJsonSchema } from '../../seed/seed-file.ts';
import type { Call, Route } from '../route.ts';
import { adminRoute } from './admin-route.ts';

/**
 * Documents for programs and editors: OpenAPI, the JSON Schema of seeds, and the rules of the platform. Each
 * function is named within an arrow function, so that a start of the package does not load the module of the document.
 */
export const publishedRoutes: readonly Route[] = [
  published('/_local/openapi.json', ({ server }) =>
    openApiDocument(server.identity.version, {
      served: server.platform,
      tokenPath: server.platform.behaviour.tokenPath,
    }),
  ),
  published('/_local/seed.schema.json', () => seedJsonSchema()),
  published('/_local/parity', ({ server }) => parity(server.platform.contract)),
];

function published(path: `/_local/${string}`, document: (call: Call) => object): Route {
  return adminRoute(`GET ${path}`, document);
}
