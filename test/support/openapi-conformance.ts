import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { isCalendarDate } from '../../src/core/values/calendar-date.ts';
import { parseInstant } from '../../src/core/values/instant.ts';
import { openApiDocument } from '../../src/server/openapi/document.ts';

/** The parts of an OpenAPI document that the tests read. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly headers: Readonly<Record<string, Header>>;
  };
}

interface Operation {
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
}

interface Response {
  readonly content?: Content;
  readonly headers?: Readonly<Record<string, Header | { readonly $ref: string }>>;
}

interface Header {
  readonly required?: boolean;
  readonly schema: { readonly const?: string; readonly pattern?: string };
}

type Content = Readonly<Record<string, { readonly schema?: object }>>;

/** A request and its answer. */
export interface Exchange {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON. Undefined without a body. */
  readonly body: unknown;
}

/** The document as a client receives it. */
export const OPENAPI = JSON.parse(JSON.stringify(openApiDocument('0.0.0-test'))) as OpenApi;

export interface Conformance {
  /** The differences between an answer and the document. Empty for a path that the document does not contain. */
  problemsOfAnswer(exchange: Exchange): readonly string[];
  /** The parts of a request that the document does not allow. */
  problemsOfRequest(path: string, body: unknown): readonly string[];
}

/** Compares requests and answers with a document. */
export function conformanceTo(document: OpenApi): Conformance {
  const operationsAt = operationsOf(document);
  const validators = new Map<object, ValidateFunction>();
  const problemsOf = (body: unknown, content: Content): readonly string[] => {
    const { schema } = content['application/json'] ?? {};
    // A stream, a file or a page.
    if (schema === undefined) return [];
    const known = validators.get(schema);
    const validate = known ?? ajv.compile({ components: document.components, ...schema });
    if (!known) validators.set(schema, validate);
    if (validate(body)) return [];
    return validate.errors!.map(({ instancePath, message }) => `${instancePath || 'the body'} ${message}`);
  };
  return {
    problemsOfAnswer({ method, path, status, headers, body }) {
      const operations = operationsAt(path);
      if (!operations) return [];
      // The answer to a wrong method is the same for every operation of the path.
      const operation = operations[method.toLowerCase()] ?? Object.values(operations)[0]!;
      const response = operation.responses[status];
      if (!response) return [`${status} is not documented`];
      const wrong = Object.entries(response.headers ?? {}).filter(([name, header]) => {
        const { required = false, schema } =
          '$ref' in header ? document.components.headers[header.$ref.split('/').at(-1)!]! : header;
        const value = headers.get(name);
        if (value === null) return required;
        return (schema.const ?? value) !== value || !new RegExp(schema.pattern ?? '').test(value);
      });
      return [
        ...wrong.map(([name]) => `header ${name}`),
        ...(response.content && method !== 'HEAD' ? problemsOf(body, response.content) : []),
      ];
    },
    problemsOfRequest: (path, body) => problemsOf(body, operationsAt(path)!['post']!.requestBody!.content),
  };
}

type Operations = Readonly<Record<string, Operation>>;

/** Finds the operations of a path. A path without a name in it goes first. */
function operationsOf({ paths }: OpenApi): (path: string) => Operations | undefined {
  const named = Object.entries(paths).map(([template, operations]) => {
    const pattern = template.replaceAll(/\{\w+\}/g, '[^/]+');
    return { pattern: new RegExp(`^${pattern}$`), operations };
  });
  return (path) => {
    const [bare = ''] = path.split('?');
    return Object.hasOwn(paths, bare)
      ? paths[bare]
      : named.find(({ pattern }) => pattern.test(bare))?.operations;
  };
}

const ajv = new Ajv2020({
  keywords: ['x-authority'],
  allErrors: true,
  allowUnionTypes: true,
  formats: { date: isCalendarDate, 'date-time': (text: string) => parseInstant(text) !== undefined },
});
// The references of all schemas point into `components`.
ajv.addVocabulary(['components']);

/** Compares with the document of the interface. */
export const { problemsOfAnswer, problemsOfRequest } = conformanceTo(OPENAPI);
