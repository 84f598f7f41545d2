import { createInterface } from 'node:readline/promises';
import { request } from 'undici';
import { AppError } from '../../core/app-error.ts';
import type { LedgerRecord } from '../push/ports/ledger.ts';

/** Reads the ledger of a local platform, record by record. @throws AppError `connection_failed` */
export async function* readLedger(baseUrl: string): AsyncGenerator<LedgerRecord> {
  const { statusCode, body } = await request(`${baseUrl}/_local/ledger`);
  if (statusCode !== 200) {
    await body.dump();
    throw new AppError('connection_failed', {
      url: baseUrl,
      reason: `its ledger answered with status ${statusCode}`,
    });
  }
  for await (const line of createInterface({ input: body })) yield JSON.parse(line) as LedgerRecord;
}
