import type { RecordKind } from '../../../core/contract/resources.ts';

/** One stored record of the local platform, as its ledger tells it (emulator.md, "Admin API"). */
export interface LedgerRecord {
  readonly kind: RecordKind;
  readonly data: Readonly<Record<string, unknown>>;
}
