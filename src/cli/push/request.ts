import type { AccountKey } from '../../core/contract/account.ts';
import type { QueryDefaults, QueryFlag } from '../../core/contract/descriptor.ts';
import { pathOf } from '../../core/contract/endpoints.ts';
import { DESCRIPTORS, type Resource } from '../../core/contract/resources.ts';
import type { PlatformRequest } from './ports/platform.ts';
import type { Batch, BatchRecord, RequestOptions } from './ports/run.ts';

/** The parts of a batch that its request is made of. */
type RequestBatch = Pick<Batch, 'account' | 'inDoubt' | 'isPart'> & {
  readonly records: readonly Pick<BatchRecord, 'payload'>[];
};

/**
 * The request of a batch. It consists of stored text, so a retry is byte for byte the same. Only the check for earlier
 * records is switched on once an attempt may have been applied, because the platform would add the records again, and for a part of
 * an earlier request, because a platform may keep other records of it than the interface says.
 */
export function requestOf(resource: Resource, batch: RequestBatch, options: RequestOptions): PlatformRequest {
  const { endpoint } = DESCRIPTORS[resource];
  const payloads = batch.records.map((record) => record.payload);
  return {
    method: 'POST',
    path: pathOf(endpoint) + query(endpoint.query ?? {}, batch, options),
    body: bodyOf(resource, batch.account, payloads, options),
  };
}

/** The body of a request. `payloads`: the JSON texts of its records. */
function bodyOf(
  resource: Resource,
  { import_supplier, external_account_number }: AccountKey,
  payloads: readonly string[],
  { contract }: Pick<RequestOptions, 'contract'> = {},
): string {
  const account = JSON.stringify({
    import_supplier,
    external_account_number,
    // An operator may require the field. Without it everything is stored.
    ...(contract?.saysDryRun && { dry_run: false }),
  }).slice(0, -1);
  const { list } = DESCRIPTORS[resource];
  return list === null
    ? `${account},${payloads[0]!.slice(1)}`
    : `${account},"${list}":[${payloads.join(',')}]}`;
}

/** The parameters that differ from their defaults, and those that the contract wants in every request. */
function query(defaults: QueryDefaults, batch: RequestBatch, options: RequestOptions): string {
  const chosen: Readonly<Record<QueryFlag, boolean>> = {
    check_previously_added: options.checkPreviouslyAdded || batch.inDoubt || batch.isPart === true,
    force_add_to_current_statement: options.forceAddToCurrentStatement,
  };
  const told = (Object.keys(defaults) as QueryFlag[]).filter(
    (name) => chosen[name] !== defaults[name] || options.contract?.saysQuery?.includes(name),
  );
  return told.length === 0 ? '' : `?${told.map((name) => `${name}=${chosen[name]}`).join('&')}`;
}
