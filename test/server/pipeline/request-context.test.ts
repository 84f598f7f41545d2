import { expect, test } from 'vitest';
import {
  callerOf,
  requestContextOf,
  routeOf,
  type RequestContext,
} from '../../../src/server/pipeline/request-context.ts';

const contextOf = (target: string, tokenPath = '/v1/graphql/'): RequestContext => {
  const server = { platform: { behaviour: { tokenPath } } } as never;
  return requestContextOf({ method: 'POST' } as never, {} as never, target, server);
};

test.each([
  ['/a/', '/a/', '', {}],
  ['/a/?', '/a/', '', {}],
  ['/a/?x=1&y=%20&x=2', '/a/', 'x=1&y=%20&x=2', { x: ['1', '2'], y: ' ' }],
  ['/a/?b?c=1', '/a/', 'b?c=1', { 'b?c': '1' }],
  ['?x=1', '', 'x=1', { x: '1' }],
])('the request for %s has a path and a query', (target, path, queryText, query) => {
  const context = contextOf(target);
  expect([context.path, context.queryText, { ...context.query }]).toEqual([path, queryText, query]);
});

test('the token mutation is at its own path alone', () => {
  const endpointAt = (target: string, tokenPath: string) => contextOf(target, tokenPath).match?.endpoint;
  expect(endpointAt('/v1/graphql/', '/v1/graphql/')).toBe('token');
  expect(endpointAt('/auth/?x=1', '/auth/')).toBe('token');
  expect(endpointAt('/v1/graphql/', '/auth/')).toBeUndefined();
  expect(endpointAt('/v1/data-import/notes/create/', '/auth/')).toBe('notes');
});

test('no request is served that a guard has not found a route and a caller for', () => {
  const empty = contextOf('/nowhere/');
  expect(() => routeOf(empty)).toThrow('a request without a route passed the guards');
  expect(() => routeOf(contextOf('/_local/health'))).toThrow('a request without a route passed the guards');
  expect(() => callerOf(empty)).toThrow('a request without a token passed the guards');
  const caller = { keyId: 'k', suppliers: null };
  const found = { ...contextOf('/v1/data-import/notes/create/'), caller };
  expect([callerOf(found), routeOf(found).method]).toEqual([caller, 'POST']);
});
