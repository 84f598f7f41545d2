import { expect, test } from 'vitest';
import { keyIdOf } from '../../../src/server/auth/tokens.ts';
import {
  isTokenScheme,
  tenantOfHead,
  tenantOfTokenRequest,
} from '../../../src/server/pipeline/tenant-of-request.ts';

/** Tenants by their names. The server accepts every key but one. */
const TENANTS = {
  root: { platform: {} },
  accepts: (key: string) => key !== 'unlisted',
  ofKey: (key: string) => key,
  ofKeyId: (keyId: string) => (keyId === keyIdOf('one') ? 'one' : undefined),
} as never;
const ROOT = (TENANTS as { root: unknown }).root;

/** A token with a key id that nobody has verified. */
const tokenOf = (key: string): string =>
  `x.${Buffer.from(JSON.stringify({ sub: keyIdOf(key) })).toString('base64url')}.x`;

const tenantOf = (access: string, headers: object, query: object = {}, route: object = {}) =>
  tenantOfHead({ request: { headers }, match: { access, route }, query } as never, TENANTS) as unknown;

test.each([
  [`Token ${tokenOf('one')}`, 'one'],
  [`token   ${tokenOf('one')}`, 'one'],
  [`Token ${tokenOf('two')}`, ROOT],
  [`Bearer ${tokenOf('one')}`, ROOT],
  [tokenOf('one'), ROOT],
  ['Token', ROOT],
  [undefined, ROOT],
])('a request with the header %s belongs to the tenant of its token', (authorization, tenant) => {
  expect(tenantOf('token', { authorization })).toBe(tenant);
});

test('a request of the admin API belongs to the tenant that it names, once or twice the same', () => {
  const header = { 'x-dataimport-tenant': 'one' };
  expect(tenantOf('loopback', header)).toBe('one');
  expect(tenantOf('loopback', {}, { tenant: 'two' })).toBe('two');
  expect(tenantOf('loopback', header, { tenant: ['one', 'one'] })).toBe('one');
  expect(tenantOf('loopback', header, {}, { tenantless: true })).toBe('one');
  expect(tenantOf('loopback', {}, {}, { tenantless: true })).toBe(ROOT);
  expect(tenantOf('open', header)).toBe(ROOT);
});

test.each([
  ['tenant_not_named', {}, {}],
  ['tenants_named', { 'x-dataimport-tenant': 'one' }, { tenant: 'two' }],
  ['tenants_named', {}, { tenant: ['one', 'two'] }],
  ['tenants_named', {}, { tenant: ['one', 'one', 'two'] }],
])('a request of the admin API is refused with %s: %j, %j', (code, headers, query) => {
  const answer = expect.objectContaining({ status: 400, body: expect.objectContaining({ code }) });
  expect(() => tenantOf('loopback', headers, query)).toThrow(expect.objectContaining({ answer }));
});

test.each([
  ['Token', undefined, true],
  ['TOKEN', undefined, true],
  ['Tok', undefined, false],
  [undefined, undefined, false],
  ['bearer', 'Bearer or JWT', true],
  ['jwt', 'Bearer or JWT', true],
  ['or', 'Bearer or JWT', false],
  ['Token', 'Bearer', true],
])('the word %s before a token, with the contract %s: %s', (scheme, name, isKnown) => {
  const contract = name === undefined ? undefined : { authorization: { name } };
  expect(isTokenScheme(scheme, { contract } as never)).toBe(isKnown);
  expect(isTokenScheme(scheme, { contract: {} } as never)).toBe(scheme?.toLowerCase() === 'token');
});

const bodyOf = (input: string): Uint8Array =>
  Buffer.from(JSON.stringify({ query: `mutation { obtainPlatformToken(input: ${input}) { token } }` }));

test.each([
  ['{APIKey: "two"}', 'two'],
  ['{APIKey: "unlisted"}', undefined],
  [`{refreshToken: "${tokenOf('one')}"}`, 'one'],
  [`{refreshToken: "${tokenOf('two')}"}`, undefined],
  ['{refreshToken: "x"}', undefined],
  ['{other: "two"}', undefined],
])('a request for a token with %s belongs to the tenant of its key', (input, tenant) => {
  expect(tenantOfTokenRequest(bodyOf(input), TENANTS)).toBe(tenant);
});

test('a request for a token without a body has no tenant', () => {
  expect(tenantOfTokenRequest(undefined, TENANTS)).toBeUndefined();
});
