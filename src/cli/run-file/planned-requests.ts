import type { PlannedRequest } from '../push/ports/batch.ts';
import type { RunDatabase } from './run-database.ts';

interface Row {
  readonly import_supplier: string;
  readonly external_account_number: string;
  readonly records: number;
  readonly payloadBytes: number;
}

/** What the batches of a run come to, one by one in the order of accounts. */
export function* plannedRequestsOf(db: RunDatabase): Generator<PlannedRequest> {
  const rows = db
    .prepare<[], Row>(
      `SELECT import_supplier, external_account_number, count(*) AS records,
         sum(octet_length(payload)) AS payloadBytes
       FROM batch JOIN account ON account.id = batch.account_id
       JOIN record ON record.account_id = batch.account_id AND record.seq BETWEEN first_seq AND last_seq
         AND record.state = 'valid'
       GROUP BY batch.id ORDER BY batch.account_id, first_seq`,
    )
    .iterate();
  for (const { records, payloadBytes, ...account } of rows) yield { account, records, payloadBytes };
}
