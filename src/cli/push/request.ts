import { ENDPOINTS, pathOf } from '../../core/contract/endpoints.ts';
import { RESOURCE_WIRE, type Resource } from '../../core/contract/resources.ts';
import type { Batch } from './ports/batch.ts';
import type { PlatformRequest } from './ports/platform.ts';
import type { RequestOptions } from './ports/run.ts';

/**
 * The request of a batch. It is made of stored text alone, so a retry is byte for byte the same; only the check for
 * earlier records is switched on once an attempt may have been applied (reliability.md, "After an ambiguous answer").
 */
export function requestOf(resource: Resource, batch: Batch, options: RequestOptions): PlatformRequest {
  const { endpoint, list } = RESOURCE_WIRE[resource];
  const account = JSON.stringify({
    import_supplier: batch.account.import_supplier,
    external_account_number: batch.account.external_account_number,
  }).slice(0, -1);
  const payloads = batch.records.map((record) => record.payload);
  return {
    method: 'POST',
    path: pathOf(ENDPOINTS[endpoint]) + (resource === 'transactions' ? query(batch, options) : ''),
    body:
      list === null ? `${account},${payloads[0]!.slice(1)}` : `${account},"${list}":[${payloads.join(',')}]}`,
  };
}

function query(batch: Batch, options: RequestOptions): string {
  const chosen = {
    check_previously_added: options.checkPreviouslyAdded || batch.unsure,
    force_add_to_current_statement: options.forceAddToCurrentStatement,
  };
  const defaults = ENDPOINTS.createTransactions.query;
  const differing = Object.entries(chosen).filter(
    ([name, value]) => value !== defaults[name as keyof typeof defaults],
  );
  return differing.length === 0 ? '' : `?${differing.map(([name, value]) => `${name}=${value}`).join('&')}`;
}
