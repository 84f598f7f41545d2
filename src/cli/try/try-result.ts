import { durationText } from '../../core/values/duration-text.ts';
import { commandLine, shellWord } from '../../core/command-line.ts';
import { total } from '../../core/values/counts.ts';
import { clockOfInstant } from '../../core/values/instant.ts';
import type { Part, Result } from '../output/result.ts';
import { counted, labelledLines } from '../output/text/text.ts';
import type { ClientRun } from './client-run.ts';
import { carriesRecords, kindsOfFault, textsOf, type Fault, type FaultKind } from './fault-kinds.ts';
import { FINDINGS } from './findings.ts';
import type { FoundFinding, Trial } from './trial.ts';

/** A trial, with what was typed. */
export interface TryResult {
  readonly trial: Trial;
  readonly command: readonly string[];
  readonly seeds: readonly string[];
  readonly restart: boolean;
}

const SHOWN_REQUESTS = 8;

export const shownTry = (result: TryResult): Result => {
  const { trial, command, restart } = result;
  const findings = trial.findings.map((found, index) => ({ ...found, number: index + 1 }));
  return {
    next: nextOf(shortest(findings), result.seeds),
    fields: {
      command,
      duration_ms: Math.round(trial.durationMs),
      undisturbed: {
        requests: trial.undisturbed.requests.length,
        records: trial.undisturbed.records.length,
        duration_ms: Math.round(trial.undisturbed.durationMs),
        random: trial.reference.random,
      },
      runs: trial.runs,
      runs_planned: trial.planned,
      struck: Object.fromEntries(trial.struck),
      not_reached: notReached(trial, restart).map(({ name }) => name),
      findings: findings.map((found) => ({
        number: found.number,
        finding: found.finding.kind,
        when: whenOf(found.run.fault),
        says: found.finding.says,
        interface: FINDINGS[found.finding.kind].authority,
        runs: found.runs,
        client_exit: found.run.exitCode,
        faults: textsOf(found.run.fault),
        history: historyOf(found),
      })),
    },
    text: () => resultParts(result, findings),
  };
};

function notReached({ struck, tried, undisturbed }: Trial, restart: boolean) {
  const asked = new Set(undisturbed.requests.map(({ endpoint }) => endpoint));
  const why = ({ name, ends, on }: FaultKind): string => {
    if (ends === 'client' && !restart) return 'only with --restart';
    if (on && !on.some((endpoint) => asked.has(endpoint))) return `only at ${on.join(', ')}`;
    return tried.has(name) ? 'no request met it' : 'no run was left';
  };
  const kinds = kindsOfFault(true).filter(({ name }) => !struck.has(name));
  return kinds.map((kind) => ({ name: kind.name, why: why(kind) }));
}

/** The fault of a run in words. */
export function whenOf(fault: Fault | undefined): string {
  if (!fault) return 'nothing fails';
  const { kind, endpoint } = fault;
  return carriesRecords(endpoint) ? kind.when : `${kind.when} (${endpoint})`;
}

function historyOf({ finding, run }: FoundFinding) {
  const isDeath = run.fault?.kind.ends === 'client';
  const shown = run.requests.filter(({ seq }) => finding.shownBy.includes(seq));
  const start = run.requests[0] ? clockOfInstant(run.requests[0].at) : 0;
  return shown.map((request) => ({
    request: request.seq,
    after_ms: clockOfInstant(request.at) - start,
    endpoint: request.endpoint,
    external_account_number: request.external_account_number,
    records: request.records,
    status: request.status,
    faults: request.faults?.flatMap(({ rule }) => (isDeath ? textsOf(run.fault) : rule)) ?? [],
    client_start: request.seq > run.restartedAfter ? 2 : 1,
  }));
}

/** What the platform has not stored of undisturbed requests, with which all other runs are compared. */
function notStored(requests: ClientRun['requests']): readonly string[] {
  const refused = requests.filter(({ method, status }) => method === 'POST' && (status ?? 0) >= 400);
  const codes = new Set(refused.flatMap((request) => request.codes));
  const others = total(requests, ({ repetitions }) => repetitions?.conflicts.length ?? 0);
  return [
    ...(refused.length > 0
      ? [`refused without a fault: ${counted(refused.length, 'request')} (${[...codes].join(', ')})`]
      : []),
    ...(others > 0
      ? [`not stored: ${counted(others, 'record')} whose id the account has with other content`]
      : []),
  ];
}

function resultParts({ trial, command, restart }: TryResult, findings: readonly Numbered[]): readonly Part[] {
  const { runs, planned, undisturbed, struck, durationMs } = trial;
  const missed = Map.groupBy(notReached(trial, restart), ({ why }) => why);
  const { random } = trial.reference;
  const head = [
    `${command.map(shellWord).join(' ')}: ${counted(undisturbed.requests.length, 'request')} and ${counted(undisturbed.records.length, 'record')} undisturbed`,
    ...notStored(undisturbed.requests),
    ...(random.length > 0 ? [`different in each run, so not compared: ${random.join(', ')}`] : []),
    `${counted(runs, 'run')} with ${counted(struck.size, 'kind')} of fault in ${durationText(durationMs)}: ${counted(findings.length, 'finding')}`,
    ...(runs < planned
      ? [`the trial ended early: ${planned - runs} of ${counted(planned, 'run')} are left (--budget, --runs)`]
      : []),
    ...[...missed].map(([why, each]) => `not reached (${why}): ${each.map(({ name }) => name).join(', ')}`),
  ];
  if (findings.length === 0) return head;
  const rows = findings.map(({ finding, run, runs: shown, number }) => [
    `${number}`,
    FINDINGS[finding.kind].title,
    whenOf(run.fault),
    `${shown}`,
  ]);
  const told = shortest(findings);
  const only = 'The shortest history of each kind of finding follows; --json has all.';
  return [
    ...head,
    '',
    { table: [['#', 'finding', 'when', 'runs'], ...rows], right: [0, 3] },
    '',
    ...(told.length < findings.length ? [only, ''] : []),
    ...told.flatMap((found) => [...findingParts(found), '']),
  ];
}

/** How to look at a finding. The rules of a process that ends would end the platform. */
function nextOf(told: readonly Numbered[], seeds: readonly string[]): string | null {
  const shown = told.find(({ run }) => run.fault?.kind.ends === undefined);
  if (!shown) return null;
  const flags = [
    ...seeds.map((seed) => ['--seed', seed] as const),
    ...textsOf(shown.run.fault).map((rule) => ['--fault', rule] as const),
  ];
  const serve = commandLine('serve --db :memory:', [], flags);
  return `\`${serve}\` shows finding ${shown.number} on its page when your client runs against it`;
}

type Numbered = FoundFinding & { readonly number: number };

/** The finding of each kind with the shortest history. The others have the same meaning. */
const shortest = (findings: readonly Numbered[]): readonly Numbered[] =>
  [...Map.groupBy(findings, ({ finding }) => finding.kind).values()].map(
    (alike) => alike.toSorted((one, other) => one.finding.shownBy.length - other.finding.shownBy.length)[0]!,
  );

function findingParts(found: Numbered): readonly Part[] {
  const { finding, run, number } = found;
  const { title, authority } = FINDINGS[finding.kind];
  const history = historyOf(found);
  const rows = history.slice(0, SHOWN_REQUESTS).map((request, index, all) => {
    const isRestart = request.client_start > (all[index - 1]?.client_start ?? 1);
    return [
      `${request.request}`,
      request.endpoint ?? '-',
      request.external_account_number === null ? '' : `account ${request.external_account_number}`,
      request.records === null ? '' : counted(request.records, 'record'),
      request.status === null ? 'no answer' : `${request.status}`,
      request.faults.length > 0 ? '<- fault' : isRestart ? '<- the client starts again' : '',
      `${request.after_ms} ms`,
    ];
  });
  const left = history.length - rows.length;
  const rules = [...new Set(textsOf(run.fault))].join('; ');
  return [
    `${number} ${title}, when ${whenOf(run.fault)}: ${finding.says}`,
    ...(rules === '' ? [] : [`  fault: ${rules}`]),
    { table: rows, right: [0] },
    ...(left > 0 ? [`  and ${counted(left, 'request')} more`] : []),
    { lines: labelledLines('  interface: ', authority, 13) },
  ];
}
