import type { ClientRun, LedgerRecord } from '../../src/cli/try/client-run.ts';
import type { LoggedRequest } from '../../src/server/start.ts';
import { kindsOfFault, rulesOf, type Fault, type FaultKind } from '../../src/cli/try/fault-kinds.ts';

/** A transaction in the ledger. */
export function stored(
  id: string,
  data: Readonly<Record<string, unknown>> = {},
  account = '7',
): LedgerRecord {
  return {
    seq: 1,
    kind: 'transaction',
    import_supplier: 'SOLAR',
    external_account_number: account,
    data: { transaction_id: id, amount: id.slice(-1), ...data },
  };
}

export const faultKind = (name: string): FaultKind => kindsOfFault(true).find((each) => each.name === name)!;

/** A fault at the first request with records. */
export const faultOf = (name: string, endpoint = 'transactions'): Fault => ({
  kind: faultKind(name),
  endpoint,
  nth: 1,
});

interface SentRequest {
  readonly ids: readonly string[];
  /** From the start of the run. */
  readonly atMs: number;
  readonly status?: number | null;
  /** Until the platform knows that its answer is sent. Default: a millisecond. */
  readonly durationMs?: number;
  /** The fault that took it. */
  readonly fault?: Fault;
  readonly endpoint?: string;
  /** Null: nobody read the body. Default: 7. */
  readonly account?: string | null;
}

const LISTS: Readonly<Record<string, string>> = { transactions: 'transactions', statements: 'statements' };

/** A request as the platform logs it. */
function logged(
  {
    ids,
    atMs,
    status = 201,
    durationMs = 1,
    fault,
    endpoint = 'transactions',
    account: number = '7',
  }: SentRequest,
  seq = 1,
): LoggedRequest {
  const records = ids.map((id) => ({ [endpoint === 'statements' ? 'statement_id' : 'transaction_id']: id }));
  const list = LISTS[endpoint];
  const account = { import_supplier: 'SOLAR', external_account_number: '7' };
  return {
    seq,
    at: new Date(1_795_000_000_000 + atMs).toISOString(),
    method: 'POST',
    path: `/v1/${endpoint}/`,
    endpoint,
    query: '',
    ...account,
    external_account_number: number,
    records: ids.length,
    status,
    codes: [],
    ...(fault && { faults: [{ rule: rulesOf(fault)[0]!, effect: 'answer' }] }),
    duration_ms: durationMs,
    request_bytes: 1,
    response_bytes: 1,
    request_body: JSON.stringify(
      list === undefined ? { ...account, reference: ids[0] } : { ...account, [list]: records },
    ),
  };
}

/** A run of a client that ended by itself with 0. */
export function clientRun(
  run: Partial<Omit<ClientRun, 'requests'>> & { readonly requests?: readonly SentRequest[] } = {},
): ClientRun {
  const { requests = [], ...others } = run;
  return {
    fault: undefined,
    exitCode: 0,
    ended: 'itself',
    durationMs: 10,
    records: [],
    output: '',
    restartedAfter: Infinity,
    requests: requests.map((request, index) => logged(request, index + 1)),
    ...others,
  };
}
