import { DESCRIPTORS, type Resource } from '../../core/contract/resources.ts';
import type { BatchLimits } from '../push/ports/staging.ts';
import type { AppliedContract } from '../sources/applied-contract.ts';
import type { Settings } from '../settings/settings.ts';

/** The limits of a request. A resource without a list is sent one by one. */
export function batchLimits(
  resource: Resource,
  settings: Settings,
  contract: AppliedContract | undefined,
): BatchLimits {
  const { list, maxRecords = Infinity } = (contract?.descriptors ?? DESCRIPTORS)[resource];
  return {
    records: list === null ? 1 : Math.min(settings.need('batchSize'), maxRecords),
    bytes: settings.need('maxBatchBytes'),
  };
}
