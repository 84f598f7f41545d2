import { TOKEN_SCHEME } from '../../core/contract/token.ts';
import { claimedKeyId } from '../auth/tokens.ts';
import { Refusal, refusal } from '../http/answer.ts';
import { credentialIn } from '../routes/token-route.ts';
import type { Tenant } from '../tenants/tenant.ts';
import type { Tenants } from '../tenants/tenants.ts';
import type { RequestContext } from './request-context.ts';

/** The header that names the API key of a tenant to the admin API. The query parameter `tenant` does the same. */
const TENANT_HEADER = 'x-dataimport-tenant';

/**
 * The tenant of a request to a server with `--isolate`, as far as its head identifies one. A request with an unknown token belongs
 * to the root tenant, which has no tokens.
 * @throws Refusal 400 for a call of the admin API that names no tenant, or two
 */
export function tenantOfHead(
  { request: { headers }, match, query }: RequestContext,
  tenants: Tenants,
): Tenant {
  if (match?.access === 'token') {
    const [scheme, token = ''] = (headers.authorization ?? '').split(/\s+/);
    const isToken = isTokenScheme(scheme, tenants.root.platform);
    const keyId = isToken ? claimedKeyId(token) : undefined;
    return (keyId === undefined ? undefined : tenants.ofKeyId(keyId)) ?? tenants.root;
  }
  if (match?.access !== 'loopback') return tenants.root;
  const [name, ...others] = [headers[TENANT_HEADER], query['tenant']]
    .flat()
    .filter((value) => typeof value === 'string');
  if (name === undefined && match.route?.tenantless) return tenants.root;
  if (name === undefined) throw new Refusal(refusal('tenant_not_named'));
  // Choosing one of two names could change the data of somebody who meant the other.
  if (others.some((other) => other !== name)) throw new Refusal(refusal('tenants_named'));
  return tenants.ofKey(name);
}

/** Whether a word before a token is the one of the interface, or one of the contract that the platform plays. */
export function isTokenScheme(
  scheme: string | undefined,
  { contract }: Pick<Tenant['platform'], 'contract'>,
): boolean {
  const words = [TOKEN_SCHEME, ...(contract?.authorization?.name.split(' or ') ?? [])];
  return words.some((word) => word.toLowerCase() === scheme?.toLowerCase());
}

/** The tenant of a request for a token, whose key is in the body; undefined when the body identifies no accepted key. */
export function tenantOfTokenRequest(body: Uint8Array | undefined, tenants: Tenants): Tenant | undefined {
  const credential = credentialIn(body);
  if (credential?.key !== undefined)
    return tenants.accepts(credential.key) ? tenants.ofKey(credential.key) : undefined;
  const keyId = credential && claimedKeyId(credential.refreshToken);
  return keyId === undefined ? undefined : tenants.ofKeyId(keyId);
}
