import { sentenceOf } from '../../core/error-codes/sentence.ts';
import { areaOf, isErrorCode } from '../../core/error-codes/table.ts';
import { total } from '../../core/values/counts.ts';
import type { Actor, ReportStep } from '../output/report/migration-report.ts';
import { counted } from '../output/text.ts';
import type { LocatedProblem, RowCounts, UnsentReason } from '../push/ports/report.ts';
import { shardText } from '../push/ports/run.ts';
import { addedUnsent } from './added-measures.ts';
import { cohortNameOf } from './next-commands.ts';
import { withRetries, type MeasuredFile, type MeasuredRun } from './measured-runs.ts';

/** The rows of a run without the rows that a retry took over. */
export function leftByRun({ report, measures }: Pick<MeasuredRun, 'report' | 'measures'>): RowCounts {
  const rows = { ...report.rows };
  takePassedOn(measures, rows);
  return rows;
}

/** Subtracts the rows that a retry took over. */
export function takePassedOn(
  { passedOn }: MeasuredRun['measures'],
  rows: { -readonly [End in keyof RowCounts]: RowCounts[End] },
): void {
  for (const [end, count] of Object.entries(passedOn) as [keyof RowCounts, number][]) {
    rows[end] -= count;
    rows.read -= count;
  }
}

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

/** Who has to act on a problem. A code that only the platform knows is for its operator. */
export function actorOf({ code, http_status: status }: LocatedProblem): Actor {
  if (!isErrorCode(code)) return 'platform';
  const area = areaOf(code);
  if (OF_THE_FILE.has(area)) return 'supplier';
  // A refusal by a known rule says what the importer has to look at, such as whether the account is imported.
  if (OF_THE_PLATFORM.has(area)) return status === null ? 'supplier' : 'importer';
  return 'importer';
}

/** The steps that are left after the runs of a file, the most urgent first. */
export function stepsOf({ runs }: MeasuredFile): readonly ReportStep[] {
  return runs.flatMap(withRetries).flatMap(stepsOfRun);
}

/** The importer can copy the invalid rows of a file, and the supplier alone can correct them. */
export function stepsOfInvalidRows({ runs, rows: { invalid } }: MeasuredFile): readonly ReportStep[] {
  const [first] = runs as readonly [MeasuredRun];
  const { header, condition } = first;
  if (invalid === 0 || condition === 'never_staged') return [];
  const [them, file] = invalid === 1 ? ['it', 'the row'] : ['them', 'the rows'];
  const of = header.sources.length === 1 ? ` of ${header.sources[0]!.name}` : ` of ${header.resource}`;
  const begin = isOfOpenCohort(first) ? 'Once the cohort is finished, copy' : 'Copy';
  const copies = runsWithInvalidRows(runs, invalid).map((run): ReportStep => {
    const own = run.report.rows.invalid;
    const what = `${begin} ${counted(own, 'invalid row')}${of}, which ${own === 1 ? 'was' : 'were'} not sent, to a file with the reasons, and give it to the supplier. Push the corrected file.`;
    return { who: 'importer', what, command: run.copyCommand, run: run.header.id, rows: own };
  });
  const correct = `Correct ${file}${of} and send ${them} back; the problems below name the lines.`;
  return [...copies, { who: 'supplier', what: correct, command: null, run: header.id, rows: invalid }];
}

/** The runs that together have all invalid rows. A shard has those of its own accounts, and those whose account cannot be read. */
function runsWithInvalidRows(runs: readonly MeasuredRun[], invalid: number): readonly MeasuredRun[] {
  const whole = runs.find(({ report }) => report.rows.invalid === invalid);
  return whole ? [whole] : runs.filter(({ report }) => report.rows.invalid > 0);
}

/** Why records of accounts were not sent, as the end of "because …", and what has to be done before they can be. */
export const UNSENT_STEPS: Readonly<
  Record<UnsentReason, { readonly why: string; readonly who: Actor; readonly what: string }>
> = {
  account_not_imported: {
    why: 'their account was not imported when the command ended',
    who: 'platform',
    what: 'Import these accounts, or start their imports again where they failed. The person who runs the import lists both with `dataimport accounts --pending --supplier CODE`. An account that the platform does not know is missing there, or its number is wrong in the file.',
  },
  account_import_failed: {
    why: 'the import of their account failed',
    who: 'platform',
    what: 'Find out why these imports failed, and start them again.',
  },
  account_not_asked: {
    why: 'nobody knew whether their account was imported when the command ended',
    who: 'importer',
    what: 'Continue the cohort. It asks the platform again.',
  },
  earlier_resource_failed: {
    why: 'a record of an earlier resource of their account was refused',
    who: 'importer',
    what: 'Remove the cause of the refusals and send the refused records again, then continue the cohort.',
  },
  earlier_record_unsettled: {
    why: 'an earlier record of their account is in a retry that is not finished, or has no answer',
    who: 'importer',
    what: 'Finish the retry, then continue the cohort.',
  },
};

/**
 * The steps of each cohort that is unfinished. Its runs are not continued alone, so one step continues all of them, or all of a
 * shard.
 */
export function stepsOfCohorts(files: readonly MeasuredFile[]): readonly ReportStep[] {
  const open = files.flatMap(({ runs }) => runs).filter(isOfOpenCohort);
  return [...Map.groupBy(open, ({ header }) => header.options.cohort!).values()].flatMap((runs) => {
    const run = runs[0]!.header.id;
    const unsent = addedUnsent(runs.flatMap(({ measures }) => measures.unsent));
    const ofPlatform = unsent.flatMap(({ reason, rows: count }): ReportStep[] => {
      const { who, why, what } = UNSENT_STEPS[reason];
      const were = count === 1 ? 'was' : 'were';
      const text = `${counted(count, 'record')} ${were} not sent, because ${why}. ${what}`;
      return who === 'platform' ? [{ who, what: text, command: null, run, rows: count }] : [];
    });
    const shards = Map.groupBy(runs, ({ header }) => header.options.selection?.shard?.index ?? 0);
    const continuing = [...shards]
      .toSorted(([a], [b]) => a - b)
      .map(([, ofShard]) => continuingStep(ofShard));
    return [...ofPlatform, ...runs.flatMap(stepsOfSetAside), ...continuing];
  });
}

/** Continues the runs of a cohort, or those of one shard. */
function continuingStep(runs: readonly MeasuredRun[]): ReportStep {
  const [{ header, continueCommand }] = runs as readonly [MeasuredRun];
  const { cohort, selection } = header.options;
  const rows = runs.map(leftByRun);
  const resent = total(runs, ({ measures }) => measures.resent);
  const unknown = total(rows, (each) => each.unknown);
  const left = resent + unknown + total(rows, (each) => each.not_sent);
  const unsent = addedUnsent(runs.flatMap(({ measures }) => measures.unsent));
  const outOfTime = total(rows, (each) => each.not_sent) - total(unsent, (group) => group.rows);
  const whole = selection?.shard === undefined ? '' : `shard ${shardText(selection.shard)} of `;
  const sentences = [
    ...endedEarly(runs),
    ...(resent > 0 ? ['Correct the cause of the refusal that the problems below name.'] : []),
    `Continue ${whole}the cohort ${cohort} with its cohort file: ${counted(left, 'record')} ${left === 1 ? 'is' : 'are'} left.`,
    ...(unknown > 0
      ? [
          `${counted(unknown, 'record')}: no answer says whether the platform has ${unknown === 1 ? 'it' : 'them'}.`,
        ]
      : []),
    ...unsent
      .filter(({ reason }) => UNSENT_STEPS[reason].who === 'importer')
      .map(({ reason, rows: count }) => `${counted(count, 'record')}: ${UNSENT_STEPS[reason].why}.`),
    ...(outOfTime > 0 ? [`${counted(outOfTime, 'record')}: the command ended before their turn.`] : []),
    'The command asks again which accounts are imported, and keeps the order of the resources.',
  ];
  return { who: 'importer', what: sentences.join(' '), command: continueCommand, run: header.id, rows: left };
}

/** Why the command that sent runs ended early, as sentences. Runs of a cohort end together. */
function endedEarly(runs: readonly Pick<MeasuredRun, 'endReason' | 'hasDied'>[]): readonly string[] {
  const reasons = runs.flatMap(({ endReason: reason, hasDied }) => [
    ...(reason === null ? [] : [`The last command ended early: ${sentenceOf(reason.code, reason.facts)}.`]),
    ...(hasDied ? ['The last command died, or was killed, before it could say how it ended.'] : []),
  ]);
  return [...new Set(reasons)];
}

/** The steps for records of an open run of a cohort that continuing it does not send. */
function stepsOfSetAside(run: MeasuredRun): readonly ReportStep[] {
  const { rejected, ...rows } = leftByRun(run);
  return stepsOfEnded(run, { ...rows, rejected: rejected - run.measures.resent }, run.refusedCommand);
}

/** Whether a run is continued with its cohort. A retry is a run of its own. */
function isOfOpenCohort({ header, condition }: MeasuredRun): boolean {
  return condition === 'open' && cohortNameOf(header) !== undefined;
}

function stepsOfRun(run: MeasuredRun): readonly ReportStep[] {
  const { header, condition, ending } = run;
  if (isOfOpenCohort(run)) return [];
  const rows = leftByRun(run);
  const step = (
    who: Actor,
    what: string,
    { command, rows: count }: { command: string | null; rows: number },
  ) => [{ who, what, command, run: header.id, rows: count }];
  const open = rows.not_sent + rows.unknown;
  if (condition === 'never_staged') {
    const { invalid } = rows;
    const what =
      invalid === 0
        ? 'Send the rows: nothing was sent.'
        : `Correct ${counted(invalid, 'invalid row')} and push the file again: nothing was sent.`;
    return step(invalid === 0 ? 'importer' : 'supplier', what, { command: null, rows: invalid + open });
  }
  if (condition === 'forgotten' && open > 0)
    return step(
      'importer',
      `Push the file again: the ${counted(open, 'record')} of this run were erased before they were sent.`,
      {
        command: null,
        rows: open,
      },
    );
  if (condition === 'open') {
    const left = open + rows.rejected;
    const isRefused = ending.exit === 'REFUSED' || ending.exit === 'AUTH';
    const cause = isRefused ? 'Correct the cause that the problems below name, then continue' : 'Continue';
    return step(
      'importer',
      [
        ...endedEarly([run]),
        `${cause} the run: ${counted(left, 'record')} ${left === 1 ? 'is' : 'are'} left.`,
      ].join(' '),
      {
        command: ending.next,
        rows: left,
      },
    );
  }
  return stepsOfEnded(run, rows, ending.next);
}

/** The steps for records whose outcome does not change by continuing the run. `refused`: the command for refused records. */
function stepsOfEnded(
  { header, measures, showCommand, report }: MeasuredRun,
  { rejected, verify: toVerify }: Pick<RowCounts, 'rejected' | 'verify'>,
  refused: string | null,
): readonly ReportStep[] {
  const run = header.id;
  const verify = toVerify - report.judged;
  const refusals = measures.problemGroups.filter(
    ({ severity, first }) => severity === 'error' && first.http_status !== null,
  );
  const ofRejected: ReportStep = {
    who: refusals[0] ? actorOf(refusals[0].first) : 'platform',
    what: refused === showCommand ? lookAt(rejected) : sendAgain(rejected),
    command: refused,
    run,
    rows: rejected,
  };
  const ofVerify: ReportStep = {
    who: 'platform',
    what: `Compare ${counted(verify, 'record')} with the accounts on the platform: the platform has ${verify === 1 ? 'it' : 'them'}, and nothing proves that this run added the same content.`,
    command: showCommand,
    run,
    rows: verify,
  };
  return [...(rejected === 0 ? [] : [ofRejected]), ...(verify === 0 ? [] : [ofVerify])];
}

function sendAgain(rejected: number): string {
  return `Remove the cause of ${counted(rejected, 'refused record')}; the problems below name it. Then send ${rejected === 1 ? 'it' : 'them'} again.`;
}

/** Refused records that the platform would refuse again. Their command lists them. */
function lookAt(rejected: number): string {
  return `Look at ${counted(rejected, 'refused record')}; the problems below name the cause. The platform would refuse ${rejected === 1 ? 'it' : 'them'} again.`;
}
