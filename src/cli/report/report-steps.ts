import { sentenceOf } from '../../core/error-codes/sentence.ts';
import { areaOf, isErrorCode, type ErrorCode } from '../../core/error-codes/table.ts';
import { total } from '../../core/values/counts.ts';
import type { Actor, ReportStep } from './page/migration-report.ts';
import { counted } from '../output/text/text.ts';
import type { EndReason, LocatedProblem, UnsentReason } from '../push/ports/report.ts';
import { THERE_ALREADY } from '../push/ports/there-already.ts';
import { shardText } from '../push/ports/run.ts';
import { isRefusedInVain } from '../ending/ending.ts';
import { addedUnsent } from './added-measures.ts';
import type { MeasuredFile, MeasuredRun } from './measured-runs.ts';

/** Areas of codes that are about the content of a file. */
const OF_THE_FILE: ReadonlySet<string> = new Set([
  'values of fields',
  'files and rows',
  'values that look wrong',
]);

/** Areas of codes that the platform's own rules and accounts are about. */
const OF_THE_PLATFORM: ReadonlySet<string> = new Set([
  'rules of the platform',
  'the contract of the operator',
]);

/** Records that a platform may have twice. */
const REPEATED: readonly ErrorCode[] = ['sent_again'];

/** Rows that the platform has otherwise, because another row brought them there. */
const CONFLICTS: readonly string[] = ['record_changed', 'record_not_compared', 'record_moved'];

/** Who has to act on a problem. A code that only the platform knows is for its operator. */
export function actorOf({ code, http_status: status }: LocatedProblem): Actor {
  // The operator alone can change a stored record.
  if (CONFLICTS.includes(code)) return 'platform';
  if (!isErrorCode(code)) return 'platform';
  const area = areaOf(code);
  if (OF_THE_FILE.has(area)) return 'supplier';
  // A refusal by a known rule says what the importer has to look at, such as whether the account is imported.
  if (OF_THE_PLATFORM.has(area)) return status === null ? 'supplier' : 'importer';
  return 'importer';
}

/** Why records of accounts were not sent, as the end of "because …", and what has to be done before they can be. */
const UNSENT_STEPS: Readonly<
  Record<UnsentReason, { readonly why: string; readonly who: Actor; readonly what: string }>
> = {
  account_not_imported: {
    why: 'their account was not imported when the platform was last asked',
    who: 'platform',
    what: 'Import these accounts, or start their imports again where they failed. An account that the platform does not know is missing there, or its number is wrong in the file.',
  },
  account_import_failed: {
    why: 'the import of their account failed',
    who: 'platform',
    what: 'Find out why these imports failed, and start them again.',
  },
  account_not_asked: {
    why: 'nobody knew whether their account was imported when the command ended',
    who: 'importer',
    what: 'Run the command again. It asks the platform again.',
  },
  earlier_resource_failed: {
    why: 'a record of an earlier resource of their account was refused',
    who: 'importer',
    what: 'Remove the cause of the refusals, then run the command again.',
  },
  earlier_record_unsettled: {
    why: 'an earlier record of their account has no answer',
    who: 'importer',
    what: 'Run the command again. It finds out first what became of that record.',
  },
};

/** The steps that are left after all files: what each person has to do, and at last the command that goes on. */
export function reportSteps(files: readonly MeasuredFile[]): readonly ReportStep[] {
  const steps = files.flatMap(({ runs, rows }) => [
    ...invalidSteps(runs, rows.invalid),
    ...runs.flatMap(stepsOf),
  ]);
  const all = files.flatMap(({ runs }) => runs);
  const open = all.filter(goesOn);
  const commands = Map.groupBy(open, ({ header, choice }) =>
    choice.cohort ? `${choice.cohort.name} ${header.options.selection.shard?.index ?? 0}` : header.id,
  );
  const said = new Set<string | null>();
  return [...steps, ...unsentSteps(all), ...[...commands.values()].map(goingOn)].map((step) => {
    const { command } = step;
    // A list is written once.
    const isNew = !said.has(command);
    said.add(command);
    return isNew ? step : { ...step, command: null };
  });
}

/** What the operator has to do about accounts, once for all files. */
function unsentSteps(runs: readonly MeasuredRun[]): readonly ReportStep[] {
  return addedUnsent(runs.flatMap(({ measures }) => measures.unsent)).flatMap(({ reason, rows }) => {
    const { who, why, what } = UNSENT_STEPS[reason];
    if (who !== 'platform') return [];
    const having = runs.filter(({ measures }) => measures.unsent.some((group) => group.reason === reason));
    const lists = having.flatMap(({ suppliers, commands, header }) =>
      suppliers.map((supplier) => commands.pending(header, supplier)),
    );
    const asked = having.flatMap(({ end }) => end?.asked ?? []).toSorted();
    const when = reason === 'account_not_imported' && asked.length > 0 ? `, ${asked.at(-1)!}` : '';
    const listed = `The person who runs the import lists them with ${[...new Set(lists)].map((line) => `\`${line}\``).join(' and ')}.`;
    const text = `${counted(rows, 'record')} ${rows === 1 ? 'was' : 'were'} not sent, because ${why}${when}. ${what} ${listed}`;
    return [{ who, what: text, command: null, run: having[0]!.header.id, rows }];
  });
}

/** Whether running the command again sends something, once a cause is removed. */
const goesOn = (run: MeasuredRun): boolean => rowsToSend(run) > 0;

function rowsToSend(run: MeasuredRun): number {
  const { rejected, unknown, not_sent } = run.report.rows;
  return rejected - refusedInVain(run) + (run.condition === 'open' ? unknown + not_sent : 0);
}

/** The rows that are invalid in the file, and those that the platform has otherwise. The first are the supplier's. */
function invalidSteps(runs: readonly MeasuredRun[], invalid: number): readonly ReportStep[] {
  const [{ header, commands, report, rejectsFiles }] = runs as readonly [MeasuredRun];
  const conflicts = Math.min(
    invalid,
    total(runs, (run) => problemsOf(run, CONFLICTS)),
  );
  const run = header.id;
  const of = ` of ${filesOf(header)}`;
  const wrong = invalid - conflicts;
  const refused = total(runs, ({ report: { rows } }) => rows.rejected);
  const beside =
    refused === 0
      ? ''
      : `, beside ${counted(refused, 'refused row')} that the supplier may not have to correct`;
  const copies = rejectsFiles.length === 0 ? '' : ` ${rejectsFiles.join(' and ')} has them${beside}.`;
  const steps: ReportStep[] = [];
  if (wrong > 0)
    steps.push({
      who: 'supplier',
      what: `Correct ${counted(wrong, 'invalid row')}${of}; the report names the lines.${copies} Then the command is run again with the corrected file.`,
      command: null,
      run,
      rows: wrong,
    });
  if (conflicts > 0)
    steps.push({
      who: 'platform',
      what: `Correct ${counted(conflicts, 'record')}${of} on the platform: an earlier version brought ${conflicts === 1 ? 'it' : 'them'} there with other content or on another account. Then a person confirms the rows (\`dataimport runs confirm\`).`,
      command: commands.unresolved(header),
      run: report.run,
      rows: conflicts,
    });
  return steps;
}

const filesOf = ({ sources, resource }: MeasuredRun['header']): string =>
  sources.length === 1 ? sources[0]!.name : resource;

/** What people have to do about the records of a run before the command leads on. */
function stepsOf(measured: MeasuredRun): readonly ReportStep[] {
  const { header, report, commands, condition } = measured;
  const run = header.id;
  const there = Math.min(report.rows.rejected, problemsOf(measured, THERE_ALREADY));
  const rejected = report.rows.rejected - there;
  const verify = report.rows.verify + there;
  const steps: ReportStep[] = [];
  if (rejected > 0) {
    const refusal = report.errorGroups.find(
      ({ first: { code, http_status: status } }) => status !== null && !THERE_ALREADY.includes(code),
    );
    const who = refusal ? actorOf(refusal.first) : 'platform';
    const cause = `Remove the cause of ${counted(rejected, 'refusal')} of ${filesOf(header)}; the report names it.`;
    steps.push({ who, what: cause, command: null, run, rows: rejected });
  }
  if (verify > 0)
    steps.push({
      who: 'importer',
      what: `Compare ${counted(verify, 'record')} with the accounts on the platform: the platform has ${verify === 1 ? 'it' : 'them'}, or may have, and no answer proves that the content is ours. Then a person confirms the rows (\`dataimport runs confirm\`).`,
      command: commands.unresolved(header),
      run,
      rows: verify,
    });
  const repeated = problemsOf(measured, REPEATED);
  if (repeated > 0)
    steps.push({
      who: 'importer',
      what: `Look for ${counted(repeated, 'record')} of ${filesOf(header)} on the platform: ${repeated === 1 ? 'it was' : 'they were'} sent again after a lost answer, and a platform that does not refuse a second one has ${repeated === 1 ? 'it' : 'them'} twice. The report names the rows.`,
      command: null,
      run,
      rows: repeated,
    });
  if (condition === 'forgotten')
    steps.push({
      who: 'importer',
      what: 'Run the command again with its files: records of this run were erased before they arrived.',
      command: null,
      run,
      rows: report.rows.rejected + report.rows.not_sent + report.rows.unknown,
    });
  return steps;
}

/** The command that goes on with runs, and why the last one ended early. */
function goingOn(runs: readonly MeasuredRun[]): ReportStep {
  const [first] = runs as readonly [MeasuredRun];
  const { header, commands, choice } = first;
  const rows = total(runs, rowsToSend);
  const unknown = total(runs, ({ report }) => report.rows.unknown);
  const unsent = addedUnsent(runs.flatMap(({ measures }) => measures.unsent));
  const { shard } = header.options.selection;
  const whole = shard === undefined ? '' : `shard ${shardText(shard)} of `;
  const what = choice.cohort
    ? `the cohort ${choice.cohort.name}`
    : header.sources.map(({ name }) => name).join(', ');
  const sentences = [
    ...endedEarly(runs),
    `Run the command of ${whole}${what} again: ${counted(rows, 'record')} ${rows === 1 ? 'is' : 'are'} left.`,
    ...(unknown > 0
      ? [
          `${counted(unknown, 'record')}: no answer says whether the platform has ${unknown === 1 ? 'it' : 'them'}.`,
        ]
      : []),
    ...unsent
      .filter(({ reason }) => UNSENT_STEPS[reason].who === 'importer')
      .map(({ reason, rows: count }) => `${counted(count, 'record')}: ${UNSENT_STEPS[reason].why}.`),
  ];
  return { who: 'importer', what: sentences.join(' '), command: commands.again(first), run: header.id, rows };
}

/** Why the command that sent runs ended early, as sentences. Runs of a cohort end together. */
function endedEarly(runs: readonly MeasuredRun[]): readonly string[] {
  const reasons = runs.flatMap((run) => {
    const reason = endReasonOf(run);
    if (reason !== null) return `The last command ended early: ${sentenceOf(reason.code, reason.facts)}.`;
    if (run.condition !== 'open' || run.end !== null) return [];
    return 'The last command ended before it could record why: it was killed, or its disk was full.';
  });
  return [...new Set(reasons)];
}

/** Why the last command that sent a run ended early; null when it did not, or its problems say it. */
export const endReasonOf = ({ condition, end }: MeasuredRun): EndReason | null =>
  condition === 'open' && end !== null ? end.reason : null;

function problemsOf({ report }: MeasuredRun, codes: readonly string[]): number {
  return total(
    [...report.errorGroups, ...report.warningGroups].filter(({ first }) => codes.includes(first.code)),
    ({ count }) => count,
  );
}

/** Refused records that would be refused again, or must not be sent again as they are. */
function refusedInVain({ header, report }: MeasuredRun): number {
  return total(
    report.errorGroups.filter(({ first }) => isRefusedInVain(header.resource, first)),
    ({ count }) => count,
  );
}
