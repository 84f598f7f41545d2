import { AppError } from '../../../core/app-error.ts';
import type { LedgerLine } from '../../replay/expectation.ts';
import { ledgerContent } from '../../replay/ledger-content.ts';
import type { ReplayPlatform } from '../../replay/replay-folder.ts';

/** Longest life of a token, in seconds: that of a platform as it is by default. */
const TOKEN_SECONDS = 3_600;

/**
 * Starts a local platform in memory on a free port.
 * @throws AppError `file_not_readable`, `seed_invalid`
 */
export async function startReplayPlatform(
  seed: string,
  nowMs: () => number,
  version: string,
): Promise<ReplayPlatform> {
  const faults: unknown[] = [];
  const { startServer } = await import('../../../server/start.ts');
  const server = await startServer({
    host: '127.0.0.1',
    port: 0,
    database: ':memory:',
    seeds: [seed],
    tokenTtlSeconds: TOKEN_SECONDS,
    timeZone: 'UTC',
    nowMs,
    version,
    onUnexpectedError: (error) => void faults.push(error),
  });
  return {
    url: server.url,
    apiKey: server.apiKeys[0]?.key ?? null,
    ledger: () => ledgerOf(server.url),
    async close() {
      await server.close();
      if (faults.length > 0)
        throw new AppError('bug', { reason: `the local platform failed: ${String(faults[0])}` }, faults[0]);
    },
  };
}

async function ledgerOf(url: string): Promise<readonly LedgerLine[]> {
  const { readLedger } = await import('../../client/local-admin.ts');
  const { totalsOfLedger } = await import('../../push/ledger-totals.ts');
  const content = ledgerContent();
  const totals = await totalsOfLedger(content.noting(readLedger(url)));
  return [...totals]
    .map(([key, { count, amount }]) => {
      const [kind, type] = key.split(' ') as [LedgerLine['kind'], string];
      const hasAmounts = kind === 'transaction' || kind === 'statement';
      return {
        kind,
        ...(type !== '' && { type }),
        count,
        ...(hasAmounts && { sum: amount.text }),
        content: content.of(kind, type),
      };
    })
    .toSorted((a, b) => (`${a.kind} ${a.type}` < `${b.kind} ${b.type}` ? -1 : 1));
}
