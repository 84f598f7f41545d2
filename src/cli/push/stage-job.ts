import { hash } from 'node:crypto';
import type { Resource } from '../../core/contract/resources.ts';
import type { RecordContext } from '../../core/rules/record.ts';
import type { CalendarDate } from '../../core/values/calendar-date.ts';
import type { ElementPaths, ReadItem } from '../csv/source-row.ts';
import type { DocumentListing } from './ports/documents.ts';
import type { PlanResult } from '../mapping/mapping-plan.ts';
import type { Shard } from './ports/run.ts';

/** The files to stage, and by which rules. */
export interface StageJob {
  readonly resource: Resource;
  readonly sources: readonly StageSource[];
  readonly check: RecordContext;
  /** The earliest day that is plausible for a date (the setting `earliestDate`). */
  readonly earliestDate: CalendarDate;
  /** The documents of the file store (`--documents`). Without it nobody knows them. */
  readonly documents?: DocumentListing | undefined;
  /** How many rows of the run are taken (`--max-records`). */
  readonly maxRecords: number;
  /** Whether an account belongs to this process (`--shard`); null when all do. */
  readonly inShard: ((accountNumber: string) => boolean) | null;
}

export interface StageSource {
  /** Its name in problems. */
  readonly name: string;
  readonly items: AsyncIterable<readonly ReadItem[]>;
  /** How much of the file is read, from 0 to 1; left out when that is not known. */
  readonly share?: () => number;
  /** Makes the mapping once the header is known; with the key paths inside of lists, for JSON Lines. */
  readonly mapping: (header: readonly string[], elements?: ElementPaths) => PlanResult;
}

/** Totals over all sources of a job, counted up while they are staged. */
export interface StageCounts {
  rows: number;
  /** Lines among the rows that are no records: headers that are repeated, and lines of pages. */
  parts: number;
  /** Records of other shards. */
  ofOtherShards: number;
  invalid: number;
  errors: number;
}

/** `belongsTo` for rows that follow each other by account. The hash takes longer than everything else about a row of another shard. */
export function membership(shard: Shard): (accountNumber: string) => boolean {
  let last: string | undefined;
  let belongs = false;
  return (accountNumber) => {
    if (accountNumber !== last) belongs = belongsTo(shard, accountNumber);
    last = accountNumber;
    return belongs;
  };
}

/** Whether an account belongs to a shard. Each account belongs to exactly one shard, on every machine. */
export function belongsTo(shard: Shard | undefined, accountNumber: string): boolean {
  if (!shard) return true;
  const number = hash('sha256', accountNumber, 'buffer').readUInt32BE();
  return (number % shard.count) + 1 === shard.index;
}
