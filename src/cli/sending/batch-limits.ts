import { DESCRIPTORS, type Resource } from '../../core/contract/resources.ts';
import type { BatchLimits } from '../push/ports/staging.ts';
import type { AppliedContract } from '../sources/applied-contract.ts';
import type { Settings } from '../settings/settings.ts';

/** Most bytes in one request. A request that a platform finds too large is cut in halves. */
const MAX_BATCH_BYTES = 1_048_576;

/** The limits of a request. A resource without a list is sent one by one. */
export function batchLimits(
  resource: Resource,
  settings: Settings,
  contract: AppliedContract | undefined,
): BatchLimits {
  const { list, maxRecords = Infinity } = (contract?.descriptors ?? DESCRIPTORS)[resource];
  return {
    records: list === null ? 1 : Math.min(settings.need('batchSize'), maxRecords),
    bytes: MAX_BATCH_BYTES,
  };
}
