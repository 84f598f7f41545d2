import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { AppError } from '../../core/app-error.ts';
import { makePrivateFolder } from '../../files/private-folder.ts';
import { notWritten } from '../command/typed-file.ts';
import { faultKind, type Fault } from './fault-kinds.ts';
import { FINDING_KINDS, type FindingKind } from './findings.ts';
import type { FoundFinding } from './trial.ts';

/** The last trial of a folder, for `--replay`. It has no record. */
const schema = z.object({
  version: z.literal(2),
  command: z.array(z.string()),
  seeds: z.array(z.string()),
  findings: z.array(
    z.object({
      finding: z.string(),
      faults: z.array(z.object({ kind: z.string(), endpoint: z.string(), nth: z.int() })),
    }),
  ),
});

const FILE = 'try.json';
const folderOf = (cwd: string): string => join(cwd, '.dataimport');

/** The client of a trial, as it was typed. */
export interface TriedClient {
  readonly command: readonly string[];
  /** The seed files of its platform. */
  readonly seeds: readonly string[];
}

/** @throws AppError `file_not_writable` */
export function keepTrial(
  { command, seeds }: TriedClient,
  found: readonly FoundFinding[],
  cwd: string,
): void {
  const findings = found.map(({ finding: { kind: finding }, run: { faults } }) => ({
    finding,
    faults: faults.map(({ kind, endpoint, nth }) => ({ kind: kind.name, endpoint, nth })),
  }));
  try {
    makePrivateFolder(folderOf(cwd));
    const kept: z.infer<typeof schema> = { version: 2, command: [...command], seeds: [...seeds], findings };
    writeFileSync(join(folderOf(cwd), FILE), `${JSON.stringify(kept)}\n`, { mode: 0o600 });
  } catch (error) {
    throw notWritten(join('.dataimport', FILE), error);
  }
}

/** A finding of the last trial, with its faults and its client. @throws AppError `replay_unknown` */
export function keptFinding(
  number: number,
  cwd: string,
): { kind: FindingKind; faults: readonly Fault[]; client: TriedClient } {
  const { findings, command, seeds } = keptTrial(number, cwd);
  const found = findings[number - 1];
  const kind = FINDING_KINDS.find((each) => each === found?.finding);
  const faults = found?.faults.map(({ kind, ...others }) => ({ kind: faultKind(kind), ...others }));
  if (kind && faults?.every((fault): fault is Fault => fault.kind !== undefined))
    return { kind, faults, client: { command, seeds } };
  throw new AppError('replay_unknown', { number, reason: `the last trial has ${findings.length}` });
}

function keptTrial(number: number, cwd: string): z.infer<typeof schema> {
  try {
    return schema.parse(JSON.parse(readFileSync(join(folderOf(cwd), FILE), 'utf8')));
  } catch (error) {
    const reason = 'this folder has no trial, or one of another version';
    throw new AppError('replay_unknown', { number, reason }, error);
  }
}
