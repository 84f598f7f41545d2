import { Decimal, withPlaces } from '../../../core/values/decimal.ts';
import { descriptorOfKind, type RecordKind } from '../../../core/contract/resources.ts';
import { textsOf } from '../../../core/error-codes/sentence.ts';
import { isErrorCode } from '../../../core/error-codes/table.ts';
import { preciseInstantOfClock } from '../../../core/values/instant.ts';
import { BUILT_IN_SEED } from '../../seed/built-in-seed.ts';
import type { Route } from '../route.ts';
import { adminRoute } from './admin-route.ts';

/** Most codes, and most transactions that came again, in one answer. */
const MOST = { refusals: 10, repeated: 100 };

/** GET /_local/overview: the figures of the first view. The time does not grow with the number of records. */
export const overviewRoute: Route = adminRoute(
  'GET /_local/overview',
  ({ server: { platform, identity, clock, faults, requests, apiKeys } }) => {
    const { store, contract } = platform;
    const repeated = store.ledger.someRepeated(MOST.repeated);
    const { rules } = faults.report();
    const tally = requests.tally();
    return {
      ...identity,
      contract: contract ? { title: contract.document.title, version: contract.document.version } : null,
      clock: { now: preciseInstantOfClock(clock.nowMs()), mode: clock.mode() },
      faults: { armed: faults.isActive(), hits: faults.hits(), rules },
      counts: store.counts(),
      accounts: store.accounts.countByState(),
      totals: store.records
        .totalsByType()
        .map((total) => ({ ...total, amount: amountText(total.kind, total.amount) })),
      duplicates: repeated.filter(({ stored }) => stored > 1),
      conflicting_replays: repeated.filter(({ conflicting_replays: times }) => times > 0),
      more_repeated: repeated.length === MOST.repeated,
      requests: tally.counts(),
      tolerated: tally.tolerated(),
      refusals: tally
        .refusals()
        .slice(0, MOST.refusals)
        .map(({ code, requests: times }) => ({
          code,
          requests: times,
          sentence: isErrorCode(code) ? textsOf(code, {}).sentence : null,
        })),
      // The key of the built-in seed is in the documentation. No other key is shown.
      built_in_key: apiKeys().find(({ key }) => key === BUILT_IN_SEED.api_keys[0].key)?.key ?? null,
    };
  },
);

/** Minor units have no decimal places. */
export function amountText(kind: RecordKind, amount: string | null): string | null {
  const places = descriptorOfKind(kind).amount?.unit === 'minor' ? 0 : 2;
  return amount === null ? null : withPlaces(Decimal.of(amount), places);
}
