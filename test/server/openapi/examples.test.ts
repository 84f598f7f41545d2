import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { ENDPOINTS, type EndpointName } from '../../../src/core/contract/endpoints.ts';
import examples from '../../../src/server/openapi/examples.json' with { type: 'json' };
import { OPENAPI } from '../../support/openapi-conformance.ts';
import { documentOf, startPlatform } from '../../support/server-platform.ts';
import { projectRoot } from '../../support/source-tree.ts';

interface MediaType {
  readonly schema: object;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
type Body = { readonly content?: Readonly<Record<string, MediaType>> };
type Operation = { readonly requestBody?: Body; readonly responses: Readonly<Record<string, Body>> };

/** The bodies of the interface in a document, each with where it is. */
function bodiesOf(document: unknown): readonly (readonly [string, MediaType])[] {
  const { paths } = document as { paths: Record<string, Record<string, Operation>> };
  const bodies: [string, MediaType][] = [];
  for (const [path, operations] of Object.entries(paths).filter(([each]) => each.startsWith('/v1/')))
    for (const [method, { requestBody, responses }] of Object.entries(operations))
      for (const [name, body] of Object.entries({ request: requestBody, ...responses }))
        for (const media of Object.values(body?.content ?? {}))
          bodies.push([`${method} ${path} ${name}`, media]);
  return bodies;
}

const BODIES = bodiesOf(OPENAPI);

test('every request and every answer of the interface has an example, and each is valid', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'document', components: OPENAPI.components });
  expect(BODIES.length).toBeGreaterThan(50);
  for (const [place, { schema, examples: shown = {} }] of BODIES) {
    expect(Object.keys(shown), place).not.toEqual([]);
    const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object;
    const isValid = ajv.compile(absolute);
    for (const [name, { value }] of Object.entries(shown))
      expect(isValid(value) ? [] : isValid.errors, `${place} ${name}`).toEqual([]);
  }
});

test('the platform with its built-in seed answers the examples as the document says', async () => {
  // The strictest platform, so that nothing in an example is only tolerated.
  const platform = await startPlatform({ seeds: [], behaviour: ['strict'] });
  const apiKey = 'local-key';
  const segments = { importSupplier: 'ACME', externalAccountNumber: '1001' };
  for (const [name, { answer, ...sent }] of Object.entries(examples.done)) {
    const endpoint = name as EndpointName;
    const { body } =
      'request' in sent
        ? await platform.post(endpoint, sent.request, { apiKey })
        : await platform.get(endpoint, segments, { apiKey });
    expect(body, name).toEqual(answer);
  }
  const { ValidationError, TransactionError, PaymentInstructionError } = examples.refused;
  for (const [name, sent] of Object.entries(examples.done)) {
    if (!('request' in sent)) continue;
    const { import_supplier: _, ...request } = sent.request;
    const { status, body } = await platform.post(name as EndpointName, request, { apiKey });
    expect([status, body], name).toEqual([400, ValidationError.answer]);
  }
  const refused = {
    createNotes: ValidationError,
    createTransactions: TransactionError,
    createPaymentInstruction: PaymentInstructionError,
  };
  for (const [name, { request, answer }] of Object.entries(refused)) {
    const { status, body } = await platform.post(name as EndpointName, request, { apiKey });
    expect([status, body], name).toEqual([400, answer]);
  }
  expect(Object.keys(examples.done).toSorted()).toEqual(Object.keys(ENDPOINTS).toSorted());
});

test('the document of a contract shows no example of records, because the fields of an operator may be others', async () => {
  const { url } = await startPlatform({
    contract: join(projectRoot, 'fixtures/contracts/halmere/contract.json'),
  });
  const document = await documentOf(url);
  const requests = bodiesOf(document).filter(
    ([place]) => place.startsWith('post /v1/data-import/') && place.endsWith(' request'),
  );
  expect(requests).toHaveLength(4);
  for (const [place, { examples: shown }] of requests) expect(shown, place).toBeUndefined();
});
