import { startServer } from '../../src/server/public.ts';

/** The part of the OpenAPI document that a collection is made of. */
interface Document {
  readonly info: { readonly title: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly summary: string;
  readonly security?: readonly unknown[];
  readonly requestBody?: {
    readonly content: {
      readonly 'application/json': {
        readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
      };
    };
  };
}

/** One request of a collection. Its texts have `{{name}}` for a variable. */
interface CollectionRequest {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** JSON; null for a request without a body. */
  readonly body: string | null;
  readonly needsToken: boolean;
}

/** What the requests begin with. The account is one of the built-in seed. */
const VARIABLES = {
  baseUrl: 'http://127.0.0.1:4010',
  apiKey: 'local-key',
  importSupplier: 'ACME',
  externalAccountNumber: '1001',
} as const;

/** Where the answer of the token request has the token. */
const TOKEN = 'data.obtainPlatformToken.token';

/** The OpenAPI of a local platform without a contract. */
export async function openApiOfPlatform(): Promise<Document> {
  await using platform = await startServer();
  return (await (await fetch(`${platform.url}/_local/openapi.json`)).json()) as Document;
}

/** The requests of the interface, in the order of the document: the token first. */
function collectionRequests({ paths }: Document): readonly CollectionRequest[] {
  return Object.entries(paths).flatMap(([path, operations]) => {
    if (!path.startsWith('/v1/')) return [];
    return (['post', 'get'] as const).flatMap((method) => {
      const operation = operations[method];
      if (!operation) return [];
      const examples = operation.requestBody?.content['application/json'].examples;
      const example = examples && Object.values(examples)[0]!.value;
      return {
        name: operation.summary,
        method: method === 'post' ? 'POST' : 'GET',
        url: `{{baseUrl}}${path.replaceAll('{', '{{').replaceAll('}', '}}')}`,
        body:
          example === undefined ? null : JSON.stringify(example, null, 2).replace('<API_KEY>', '{{apiKey}}'),
        needsToken: operation.security?.length !== 0,
      } as const;
    });
  });
}

/** Each file of examples/collections with its text. */
export function collectionFiles(document: Document): ReadonlyMap<string, string> {
  const requests = collectionRequests(document);
  return new Map([
    ['postman.json', postman(document.info.title, requests)],
    ['bruno/bruno.json', json({ version: '1', name: document.info.title, type: 'collection' })],
    ['bruno/environments/local.bru', block('vars', Object.entries(VARIABLES))],
    ...requests.map(
      (request, at) => [`bruno/${fileName(request.name)}.bru`, bruno(request, at + 1)] as const,
    ),
  ]);
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** A collection in format 2.1 of Postman. */
function postman(name: string, requests: readonly CollectionRequest[]): string {
  const keeps = `pm.collectionVariables.set('token', pm.response.json().${TOKEN});`;
  return json({
    info: { name, schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    variable: [...Object.entries(VARIABLES), ['token', '']].map(([key, value]) => ({ key, value })),
    item: requests.map(({ name: title, method, url, body, needsToken }) => ({
      name: title,
      request: {
        method,
        header: [
          ...(body === null ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
          ...(needsToken ? [{ key: 'Authorization', value: 'Token {{token}}' }] : []),
        ],
        url,
        ...(body !== null && { body: { mode: 'raw', raw: body } }),
      },
      ...(!needsToken && { event: [{ listen: 'test', script: { type: 'text/javascript', exec: [keeps] } }] }),
    })),
  });
}

/** A request as Bruno keeps it. `seq`: its place in the list. */
function bruno({ name, method, url, body, needsToken }: CollectionRequest, seq: number): string {
  const blocks = [
    block('meta', [
      ['name', name],
      ['type', 'http'],
      ['seq', String(seq)],
    ]),
    block(method.toLowerCase(), [
      ['url', url],
      ['body', body === null ? 'none' : 'json'],
      ['auth', 'none'],
    ]),
    ...(needsToken ? [block('headers', [['Authorization', 'Token {{token}}']])] : []),
    ...(body === null ? [] : [`body:json {\n${indented(body)}\n}\n`]),
    ...(needsToken ? [] : [`script:post-response {\n  bru.setVar('token', res.body.${TOKEN});\n}\n`]),
  ];
  return blocks.join('\n');
}

const block = (name: string, entries: readonly (readonly [string, string])[]): string =>
  `${name} {\n${entries.map(([key, value]) => `  ${key}: ${value}`).join('\n')}\n}\n`;

const indented = (text: string): string => text.replaceAll(/^/gm, '  ');

/** The name of a request as the name of a file. */
const fileName = (name: string): string => name.replaceAll(/[^A-Za-z0-9]+/g, '-').toLowerCase();
