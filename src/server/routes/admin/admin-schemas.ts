import * as z from 'zod/mini';
import { RECORD_KINDS, RESOURCES } from '../../../core/contract/resources.ts';
import { IMPORT_STATES } from '../../../core/rules/import-status.ts';
import { SUPPLIER_STATUSES } from '../../../core/rules/supplier-status.ts';
import { clockOfInstant, parseInstant, preciseInstantOfClock } from '../../../core/values/instant.ts';
import { CAUSES } from '../../http/request-log.ts';
import { openStatement } from '../../seed/seed-file.ts';

// The schemas have a file of their own, so that a start does not build them (scripts/build.mjs).

/** A text that passes a test. `expected` says in words what does. */
const textThat = (expected: string, accepts: (text: string) => boolean) =>
  z.string().check(z.refine(accepts, { params: { code: 'invalid', facts: { expected } } }));

const isNumber = (text: string): boolean => /^\d{1,15}$/.test(text);
const wholeNumber = z.pipe(
  textThat('a whole number', isNumber),
  z.transform((text) => Number.parseInt(text, 10)),
);

export const accountsQuery = z.strictObject({
  import_supplier: z.optional(z.string()),
  state: z.optional(z.enum(IMPORT_STATES)),
  search: z.optional(z.string()),
  limit: z.optional(wholeNumber),
  /** Adds counts, sums and the balance to each account, and how many accounts match. */
  totals: z.optional(z.literal('true')),
  /** `next` of the previous page. */
  after: z.optional(textThat('the `next` of the page before', isNumber)),
});

/** Body of PUT /_local/accounts/SUPPLIER/ACCOUNT. */
export const accountChange = z.strictObject({
  state: z.enum(IMPORT_STATES),
  open_statement: z.optional(openStatement),
});

/** Body of PUT and POST /_local/faults. `seed`: of the chance. */
export const faultsChange = z.strictObject({ seed: z.optional(z.int()), rules: z.array(z.string()) });

/** Body of PUT /_local/suppliers/CODE. */
export const supplierChange = z.strictObject({ status: z.enum(SUPPLIER_STATUSES) });

/** Query of GET /_local/accounts/SUPPLIER/ACCOUNT/records. */
export const recordsQuery = z.strictObject({
  resource: z.enum(RESOURCES),
  offset: z.optional(wholeNumber),
  limit: z.optional(wholeNumber),
});

/** Query of GET /_local/ledger and /_local/ledger/totals. A parameter that comes twice is a list, so each is a text first. */
export const ledgerQuery = z.strictObject({
  kind: z.optional(z.pipe(z.string(), z.enum(RECORD_KINDS))),
  import_supplier: z.optional(z.string()),
  external_account_number: z.optional(z.string()),
});

const requestFilter = {
  status: z.optional(
    textThat(
      `a status such as 404 or 4xx, none, or one of ${Object.keys(CAUSES).join(', ')}`,
      (text) => /^([1-5]\d\d|[1-5]xx|none)$/.test(text) || Object.hasOwn(CAUSES, text),
    ),
  ),
  path: z.optional(z.string()),
  since: z.optional(
    z.pipe(
      textThat('an instant such as 2026-03-15T12:00:00Z', (text) => parseInstant(text) !== undefined),
      // The format of the log, so that comparing texts compares times.
      z.transform((text) => preciseInstantOfClock(clockOfInstant(text))),
    ),
  ),
  endpoint: z.optional(z.enum([...RESOURCES, 'token', 'status', 'lists'])),
  account: z.optional(z.string()),
  code: z.optional(z.string()),
  text: z.optional(z.string()),
};

export const requestsQuery = z.strictObject(requestFilter);

/** Query of GET /_local/requests/newest. */
export const newestQuery = z.strictObject({
  ...requestFilter,
  /** `next` of the previous page. */
  before: z.optional(wholeNumber),
  limit: z.optional(wholeNumber),
});

const EARLIEST = '1970-01-01T00:00:00Z';

/** The latest time of the clock. */
export const LATEST = '2199-12-31T23:59:59Z';

/** The allowed advances, in words. */
export const SECONDS = 'a whole number of seconds from 1, and no later than the year 2199';

const instantMs = z.pipe(
  textThat('an instant such as 2026-03-15T12:00:00Z, from 1970 to 2199', (text) => {
    const instant = parseInstant(text);
    return instant !== undefined && instant >= EARLIEST && instant <= LATEST;
  }),
  z.transform((text) => clockOfInstant(text)),
);

/** Body of POST /_local/clock/set, parsed to milliseconds since 1970. */
export const clockSetting = z.strictObject({ now: instantMs });

/** Body of POST /_local/clock/advance. */
export const clockAdvance = z.strictObject({
  seconds: z.custom<number>((value) => Number.isSafeInteger(value) && (value as number) >= 1, {
    params: { code: 'invalid', facts: { expected: SECONDS } },
  }),
});
