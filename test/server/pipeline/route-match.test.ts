import { expect, test } from 'vitest';
import { matchRoute } from '../../../src/server/pipeline/route-match.ts';

const LONGEST = 'x'.repeat(128);

test.each([
  ['/v1/data-import/notes/create/', '/v1/data-import/notes/create/', {}],
  [
    '/v1/data-import/all-account-import-processes/A%2F1%20%C3%BC/',
    '/v1/data-import/all-account-import-processes/:importSupplier/',
    { importSupplier: 'A/1 ü' },
  ],
  [
    `/v1/data-import/account-transfer-status/ACME/${LONGEST}/`,
    '/v1/data-import/account-transfer-status/:importSupplier/:externalAccountNumber/',
    { importSupplier: 'ACME', externalAccountNumber: LONGEST },
  ],
])('the path %s is one of %s', (path, pattern, segments) => {
  expect(matchRoute('GET', path)).toMatchObject({ path: pattern, segments });
});

test.each([
  '/v1/data-import/notes/create',
  '/v1/data-import/notes/create/x/',
  '/v1/data-import/all-account-import-processes//',
  '/v1/data-import/all-account-import-processes/%zz/',
  `/v1/data-import/account-transfer-status/ACME/${LONGEST}x/`,
  '/v1/data-import/:importSupplier/create/',
])('the server does not have the path %s', (path) => {
  expect(matchRoute('GET', path)).toBeUndefined();
});

test('a path has the route of a method, HEAD where it has GET, and names all of them in their order', () => {
  const routeOf = (method: string, path: string) => matchRoute(method, path)?.route?.method;
  const status = '/v1/data-import/account-transfer-status/ACME/1/';
  expect(['GET', 'HEAD', 'POST'].map((method) => routeOf(method, status))).toEqual(['GET', 'GET', undefined]);
  const notes = '/v1/data-import/notes/create/';
  expect(['POST', 'HEAD'].map((method) => routeOf(method, notes))).toEqual(['POST', undefined]);
  expect(matchRoute('GET', '/_local/faults')!.allowed).toEqual(['DELETE', 'GET', 'HEAD', 'POST', 'PUT']);
});

test('a path says who may call it, and which endpoint it is for faults', () => {
  const partsOf = (path: string) => {
    const { access, endpoint } = matchRoute('GET', path)!;
    return [access, endpoint];
  };
  expect(partsOf('/v1/graphql/')).toEqual(['open', 'token']);
  expect(partsOf('/v1/data-import/notes/create/')).toEqual(['token', 'notes']);
  expect(partsOf('/_local/health')).toEqual(['loopback', undefined]);
});
