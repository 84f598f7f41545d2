import { accountImportProcesses, accountTransferStatus } from './account-import.ts';
import type { Endpoint } from './descriptor.ts';
import { DESCRIPTORS, RESOURCES, type EndpointOf, type Resource } from './resources.ts';

type CreateEndpoints = { readonly [K in Resource as EndpointOf<K>['name']]: EndpointOf<K> };

/** All endpoints. Each is declared here or in the descriptor of its resource, and nowhere else. */
export const ENDPOINTS = {
  ...(Object.fromEntries(
    RESOURCES.map((resource) => [DESCRIPTORS[resource].endpoint.name, DESCRIPTORS[resource].endpoint]),
  ) as CreateEndpoints),
  accountTransferStatus: {
    method: 'GET',
    path: '/v1/data-import/account-transfer-status/:importSupplier/:externalAccountNumber/',
    request: null,
    response: accountTransferStatus,
    success: [200],
  },
  allAccountImportProcesses: list('all'),
  pendingAccountImportProcesses: list('pending'),
  importedAccountImportProcesses: list('imported'),
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof ENDPOINTS;

/** What an endpoint is about: records of a resource, the status of one account, or a list of accounts. */
export type EndpointKind = Resource | 'status' | 'lists';

/** The endpoints that store nothing. */
export type AskingEndpoint = Exclude<EndpointName, keyof CreateEndpoints>;

const KIND_OF_ASKING: Readonly<Record<AskingEndpoint, EndpointKind>> = {
  accountTransferStatus: 'status',
  allAccountImportProcesses: 'lists',
  pendingAccountImportProcesses: 'lists',
  importedAccountImportProcesses: 'lists',
};

/** The kind of each endpoint, by its path. Rules of faults and recordings name endpoints so. */
export const KIND_OF_PATH: ReadonlyMap<string, EndpointKind> = new Map<string, EndpointKind>([
  ...RESOURCES.map((resource) => [DESCRIPTORS[resource].endpoint.path, resource] as const),
  ...Object.entries(KIND_OF_ASKING).map(
    ([name, kind]) => [ENDPOINTS[name as AskingEndpoint].path, kind] as const,
  ),
]);

/** The path of an endpoint with its segments filled in and escaped. */
export function pathOf(endpoint: Endpoint, segments: Readonly<Record<string, string>> = {}): string {
  return endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(segments[name] ?? ''));
}

function list<const Which extends string>(which: Which) {
  return {
    method: 'GET',
    path: `/v1/data-import/${which}-account-import-processes/:importSupplier/`,
    request: null,
    response: accountImportProcesses,
    success: [200],
  } as const;
}
