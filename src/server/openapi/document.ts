import type { Endpoint } from '../../core/contract/descriptor.ts';
import { ENDPOINTS, type AskingEndpoint, type EndpointName } from '../../core/contract/endpoints.ts';
import { DESCRIPTORS, RESOURCES } from '../../core/contract/resources.ts';
import { DATABASE_HEADER } from '../../core/contract/database-identity.ts';
import { DEFAULT_TOKEN_MUTATION, tokenMutationDocument } from '../../core/contract/token.ts';
import {
  answerName,
  contractSchemas,
  PUBLISHED,
  requestName,
  SCHEMA_POINTER,
  type Served,
} from './contract-schemas.ts';
import * as z from 'zod/mini';
import { described } from '../../core/schema.ts';
import examples from './examples.json' with { type: 'json' };
import { failureExample, failureSchemas, FAILURES } from './failures.ts';
import fields from './fields.json' with { type: 'json' };
import { jsonSchemasOf, without, type JsonSchema } from './json-schema.ts';

/** What each endpoint does, and its section of interface.md. The contract has no texts for its endpoints. */
const TEXTS: Readonly<Record<EndpointName, readonly [summary: string, section: string]>> = {
  createNotes: ['Add notes to an account', '4.2'],
  createTransactions: ['Import financial transactions', '4.3'],
  createStatements: ['Import historical PDF statements', '4.4'],
  createPaymentInstruction: ['Create a payment instruction', '4.5'],
  accountTransferStatus: ['Import status of one account', '4.6'],
  allAccountImportProcesses: ['All pending and imported accounts of a supplier', '4.7'],
  pendingAccountImportProcesses: ['Accounts pending import', '4.8'],
  importedAccountImportProcesses: ['Imported accounts', '4.9'],
};

const ANSWERS: Readonly<Record<AskingEndpoint, string>> = {
  accountTransferStatus: 'AccountTransferStatus',
  allAccountImportProcesses: 'AccountImportProcesses',
  pendingAccountImportProcesses: 'AccountImportProcesses',
  importedAccountImportProcesses: 'AccountImportProcesses',
};

interface SchemaNames {
  readonly request?: string;
  readonly answer: string;
  /** Further schemas of its failures, by status. Every 400 also has ValidationError. */
  readonly refusals?: Readonly<Record<number, readonly string[]>>;
}

function schemaNamesOf(name: EndpointName): SchemaNames {
  const resource = RESOURCES.find((each) => DESCRIPTORS[each].endpoint.name === name);
  if (!resource) return { answer: ANSWERS[name as AskingEndpoint] };
  const { refusals } = PUBLISHED[resource];
  return {
    request: requestName(resource),
    answer: answerName(resource),
    refusals: {
      ...refusals,
      400: [...(refusals?.[400] ?? []), 'MirroredError'],
      // With `--behaviour paused-status=403`.
      403: ['ValidationError', 'MirroredError'],
    },
  };
}

/** The headers of every answer to a request whose Host header names the server. */
const ANSWER_HEADERS: JsonSchema = {
  [DATABASE_HEADER]: { $ref: '#/components/headers/DatabaseIdentity' },
};

/** The OpenAPI 3.1 document of the interface as this platform serves it. Its examples have names of the built-in seed. */
export function openApiDocument(
  version: string,
  served: Served = { contract: undefined, descriptors: DESCRIPTORS },
  tokenPath = DEFAULT_TOKEN_MUTATION.path,
): JsonSchema {
  const paths: Record<string, JsonSchema> = {
    [tokenPath]: {
      post: tokenOperation(failures({ 400: ['ValidationError'] })),
    },
  };
  for (const [name, endpoint] of Object.entries(ENDPOINTS) as [EndpointName, Endpoint][]) {
    // The fields of an operator may be others.
    const example = served.contract === undefined ? EXAMPLES[name] : undefined;
    const operation = operationOf(name, endpoint, example);
    paths[templateOf(endpoint.path)] = endpoint.method === 'GET' ? { get: operation } : { post: operation };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Customer Data Import Service, as `dataimport serve` plays it',
      version,
      license: { name: 'MIT', identifier: 'MIT' },
      description:
        'Made from the schemas that the server checks with. It does not describe which requests `--behaviour` and the lists of a seed refuse, accept or store. While a fault is active every answer has the header `x-dataimport-fault`, and may differ from this document.',
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: {
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: '`Token <ACCESS_TOKEN>`, with a token of the token mutation (interface.md 5).',
        },
      },
      headers: {
        DatabaseIdentity: {
          description:
            'The identity of the database behind the answer. A reset and a restored state replace it. Missing when the request was sent to another host.',
          schema: { type: 'string', pattern: '^[0-9a-f]{16}$' },
        },
      },
      schemas: { ...contractSchemas(served), ...tokenSchemas(), ...failureSchemas() },
    },
  };
}

/** A request of an endpoint, and the answer of the built-in seed to it. The tests play them in the order of the file. */
const EXAMPLES: Readonly<Record<EndpointName, { request?: object; answer: object }>> = examples.done;

/** Names of the built-in seed for the segments of a path. */
const SEGMENTS: Readonly<Record<string, string>> = { importSupplier: 'ACME', externalAccountNumber: '1001' };

function operationOf(
  name: EndpointName,
  { path, query = {}, success }: Endpoint,
  example?: { readonly request?: object; readonly answer: object },
): JsonSchema {
  const [summary, section] = TEXTS[name];
  const { request, answer, refusals = {} } = schemaNamesOf(name);
  const parameters = [
    ...[...path.matchAll(/:(\w+)/g)].map(([, segment]) => ({
      name: segment,
      in: 'path',
      required: true,
      schema: { type: 'string', minLength: 1 },
      example: SEGMENTS[segment!],
      ...meaningOf(segment!),
    })),
    ...Object.entries(query).map(([flag, value]) => ({
      name: flag,
      in: 'query',
      schema: { type: 'boolean', default: value },
      ...meaningOf(flag),
    })),
  ];
  const own = Object.fromEntries(
    success.map((status) => [status, jsonBody('Done.', [answer], example && { [answer]: example.answer })]),
  );
  const refused = { ...refusals, 400: ['ValidationError', ...(refusals[400] ?? [])] };
  return {
    operationId: name,
    summary,
    description: `interface.md ${section}`,
    ...(parameters.length > 0 && { parameters }),
    ...(request !== undefined && {
      requestBody: {
        required: true,
        ...content([request], example?.request && { [request]: example.request }),
      },
    }),
    responses: { ...own, ...failures(refused) },
  };
}

function meaningOf(parameter: string): JsonSchema {
  const [description, authority] = (fields.Parameters as Readonly<Record<string, readonly string[]>>)[
    parameter
  ]!;
  return { description, 'x-authority': authority };
}

/** The failures that any request may get. `refused` adds schemas by status. */
function failures(refused: Readonly<Record<number, readonly string[]>>): JsonSchema {
  const common = Object.entries(FAILURES).map(([status, failure]) => {
    const schemas = ['Failure', ...(refused[Number.parseInt(status, 10)] ?? [])];
    const body = jsonBody(failure.description, schemas, { Failure: failureExample(failure) });
    return [status, { ...body, headers: { ...failure.headers, ...ANSWER_HEADERS } }];
  });
  return {
    400: jsonBody(
      'The request, or one of its records, is wrong. Nothing of it was stored.',
      refused[400] ?? [],
      Object.fromEntries(Object.entries(examples.refused).map(([name, { answer }]) => [name, answer])),
    ),
    ...Object.fromEntries(common),
  };
}

type Examples = Readonly<Record<string, object>>;

function jsonBody(description: string, names: readonly string[], examples?: Examples): JsonSchema {
  return { description, headers: ANSWER_HEADERS, ...content(names, examples) };
}

/** A body of one of several schemas. `examples`: by the name of their schema; those of other schemas are left out. */
function content(names: readonly string[], examples: Examples = {}): JsonSchema {
  const refs = names.map((name) => ({ $ref: SCHEMA_POINTER + name }));
  const shown = names.flatMap((name) => (examples[name] ? [[name, { value: examples[name] }]] : []));
  return {
    content: {
      'application/json': {
        schema: refs.length === 1 ? refs[0] : { anyOf: refs },
        ...(shown.length > 0 && { examples: Object.fromEntries(shown) }),
      },
    },
  };
}

/** `{name}` for `:name`. */
const templateOf = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}');

const { mutation, inputField } = DEFAULT_TOKEN_MUTATION;

const TOKEN_REQUEST = {
  query: tokenMutationDocument(mutation),
  variables: { input: { [inputField]: '<API_KEY>' } },
};

/** The operation that issues tokens. It needs no token. `failures` are the failures of any request. */
function tokenOperation(failures: JsonSchema): JsonSchema {
  return {
    operationId: 'obtainToken',
    summary: 'Obtain a token for an API key',
    description: 'A GraphQL mutation, whatever its name between `obtain` and `Token` (interface.md 5).',
    security: [],
    requestBody: { required: true, ...content(['TokenRequest'], { TokenRequest: TOKEN_REQUEST }) },
    responses: {
      200: jsonBody('A token, or GraphQL errors.', ['TokenAnswer'], {
        TokenAnswer: { data: { [mutation]: { token: '<ACCESS_TOKEN>' } } },
      }),
      ...without(failures, '401'),
    },
  };
}

/** The bodies of the token mutation (deployments.md, "Getting a token"). */
function tokenSchemas(): Readonly<Record<string, JsonSchema>> {
  const text = z.string().check(z.minLength(1));
  const object = z.record(z.string(), z.unknown());
  const issued = z.partial(
    z.strictObject({
      token: text,
      refreshToken: text,
      refreshExpiresIn: described(z.int(), 'In seconds since 1970.'),
      payload: object,
    }),
  );
  const errorType = z.enum(['VALIDATION', 'AUTHORIZATION']);
  const extensions = z.strictObject({ errorType, errorCode: text, errorDescription: text });
  const error = z.strictObject({ message: text, extensions });
  const TokenRequest = z.looseObject({ query: text, variables: z.optional(object) });
  const TokenAnswer = z.strictObject({
    data: z.optional(z.record(z.string(), described(issued, 'The fields that the query asks for.'))),
    errors: z.optional(z.array(error).check(z.minLength(1))),
  });
  return jsonSchemasOf<string>({ TokenRequest, TokenAnswer }, (name) => name);
}
