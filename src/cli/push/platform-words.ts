import { accountFields } from '../../core/contract/account.ts';
import { ENDPOINTS, type Endpoint } from '../../core/contract/endpoints.ts';
import { paymentInstruction } from '../../core/contract/payment-instruction.ts';
import { RESOURCE_WIRE, type Resource } from '../../core/contract/resources.ts';
import type { DecodedError } from '../../core/validation-error.ts';

/**
 * Whether an error body is in the words of the platform (deployments.md, "Responses"). A dictionary that mirrors no request,
 * such as `{"message": "Forbidden"}`, is that of a gateway, and so are errors that name neither a code nor an input.
 */
export function isOfPlatform(resource: Resource, { shape, problems }: DecodedError): boolean {
  if (shape === 'unknown') return false;
  if (shape === 'documented')
    return problems.length === 0 || problems.some(({ code, path }) => code !== null || path.length > 0);
  if (shape !== 'nested') return true;
  const names = namesIn(resource);
  return problems.some(({ path: [first] }) => first === undefined || names.has(first));
}

/** What stands in a request beside or around its records. */
function namesIn(resource: Resource): ReadonlySet<string | number> {
  const { endpoint, list } = RESOURCE_WIRE[resource];
  const { query = {} }: Endpoint = ENDPOINTS[endpoint];
  const ofRecords = list === null ? Object.keys(paymentInstruction.shape) : [list];
  return new Set([...Object.keys(accountFields), ...ofRecords, ...Object.keys(query)]);
}
