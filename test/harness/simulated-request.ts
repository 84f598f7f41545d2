import type { PlatformRequest } from '../../src/cli/push/ports/platform.ts';
import { exactJson, type Exact } from './oracle/exact-json.ts';
import type { OracleRecord, OracleResource } from './oracle/records.ts';
import type { Asked } from './oracle/rules.ts';
import { LIST_OF, PATHS } from './simulated-answers.ts';

/** A request, parsed by the platform. */
export interface Arrived {
  readonly resource: OracleResource;
  readonly account: string;
  readonly records: readonly OracleRecord[];
  readonly asked: Asked;
}

/** Parses a request. @throws Error for a request that no client should make */
export function readRequest({ path, body }: PlatformRequest): Arrived {
  const [pathname, query = ''] = path.split('?') as [string, string?];
  const resource = PATHS.get(pathname);
  if (!resource) throw new Error(`unexpected request to ${path}`);
  const { import_supplier, external_account_number, ...rest } = exactJson(body!) as Record<string, Exact>;
  if (typeof import_supplier !== 'string') throw new Error('a request without a supplier');
  const list = LIST_OF[resource];
  return {
    resource,
    account: external_account_number as string,
    records: list === null ? [rest] : (rest[list] as readonly OracleRecord[]),
    asked: {
      check: !query.includes('check_previously_added=false'),
      force: !query.includes('force_add_to_current_statement=false'),
    },
  };
}
