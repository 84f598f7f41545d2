import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCsv } from '../../src/cli/csv/read-csv.ts';
import { openSourceFile } from '../../src/cli/csv/source-file.ts';
import { stage } from '../../src/cli/push/stage/stage.ts';
import { Journal } from '../../src/cli/journal/journal.ts';
import { scopeOf, type RunHeader } from '../../src/cli/journal/database/run-header.ts';
import type { OracleFile } from './oracle/oracle.ts';
import { planByHeader } from '../../src/cli/mapping/compile/plan-by-header.ts';

const RUN_ID = '20261121-101502-run-0000';

/** A file and the options of its staging. */
export interface Staging {
  readonly file: OracleFile;
  readonly batchSize: number;
  /** Most bytes of the records of a request. Default: 1 MB. */
  readonly batchBytes?: number;
  readonly check: boolean;
  readonly onReject: 'stop' | 'skip';
}

/** The bytes of a journal whose reading is staged and has sent nothing. Every life of the client starts from a copy. */
export async function stagedBytes(
  { file, batchSize, batchBytes = 1_000_000, check, onReject }: Staging,
  folder: string,
): Promise<Uint8Array> {
  const csv = join(folder, `${file.resource}.csv`);
  const path = join(folder, `${RUN_ID}.sqlite`);
  writeFileSync(csv, file.text);
  const source = await openSourceFile(csv);
  const { fingerprint } = source;
  const header: RunHeader = {
    id: RUN_ID,
    resource: file.resource,
    target: 'https://platform.example',
    database: null,
    version: fingerprint.sha256,
    options: { checkPreviouslyAdded: check, forceAddToCurrentStatement: true, selection: {} },
    toolVersion: '0.0.0',
    createdAt: '2026-11-21T10:15:02Z',
    sources: [{ name: csv, place: csv, ...fingerprint }],
    inputs: [],
    contentSha256: fingerprint.sha256,
    cohort: null,
  };
  const choice = { onReject, onExisting: 'reject', skipInvalid: false, words: [] } as const;
  const run = Journal.begin(path, scopeOf(header, 'ACME'), header, choice);
  const end = await stage(
    {
      resource: file.resource,
      sources: [
        {
          name: csv,
          items: readCsv(source),
          mapping: (header) => planByHeader(file.resource, header, undefined),
        },
      ],
      check: { today: '2026-11-21' },
      earliestDate: '1970-01-01',
      maxRecords: Infinity,
      inShard: null,
    },
    { limits: { records: batchSize, bytes: batchBytes }, skipInvalid: false },
    run,
    { emit: () => undefined, stopping: new AbortController().signal },
  );
  const { problems } = run.report();
  if (end?.kind === 'staged') run.finish('2026-11-21T10:15:02Z');
  Journal.placed(path, run).close();
  await source.close();
  if (end?.kind !== 'staged')
    throw new Error(`a generated file was not staged: ${JSON.stringify(problems[0])}`);
  const bytes = readFileSync(path);
  rmSync(path);
  return bytes;
}
