import { commandLine } from '../../core/command-line.ts';
import { total } from '../../core/values/counts.ts';
import { nextCommands, type NextCommands } from '../ending/next-commands.ts';
import type { FoundReading } from '../journal/found-readings.ts';
import { ABOUT_VERIFY } from '../journal/send/draining.ts';
import { counted } from '../output/text/text.ts';
import { THERE_ALREADY } from '../../core/contract/resources.ts';
import type { UnsentReason } from '../push/ports/report.ts';
import { CONFLICTS, REPEATED } from './part.ts';
import { shardText } from '../push/ports/run.ts';
import { ofSameFiles, type VerifiedFiles } from './verified-files.ts';
import { inMajorUnits } from './text.ts';
import type { Actor, VerificationStep, VerifiedPart } from './verification-schema.ts';

/** Why records of accounts were not sent, as the end of "because …". */
const UNSENT: Readonly<Record<UnsentReason, string>> = {
  account_not_imported: 'their account was not imported when the platform was last asked',
  account_import_failed: 'the import of their account failed',
  account_not_asked: 'nobody knew whether their account was imported when the command ended',
  earlier_resource_failed: 'a record of an earlier resource of their account was refused',
  earlier_record_unsettled: 'an earlier record of their account has no answer',
};

/** Reasons of which the operator alone can remove the cause. The command finds the others out when it is run again. */
const OF_OPERATOR: readonly UnsentReason[] = ['account_not_imported', 'account_import_failed'];

/** What each person has to do: first what goes on by itself, then what has to be looked at. The resources of a cohort have one command. */
export function stepsOf(all: readonly VerifiedWithPart[]): readonly VerificationStep[] {
  const subjects = all.map(subjectOf);
  const ofEach = (...kinds: readonly Steps[]) =>
    subjects.flatMap((subject) => kinds.flatMap((of) => of(subject)));
  return [
    ...ofEach(differing, invalid, refused),
    ...notImported(subjects),
    ...again(subjects),
    ...ofEach(changed, unproven, repeated, vanished),
  ];
}

function subjectOf(verified: VerifiedWithPart): Subject {
  const { settings, context, options } = verified;
  const commandsOf = (reading?: FoundReading): NextCommands =>
    nextCommands(settings, context.globals, context.io.cwd, reading?.folder.path);
  const lists = readingsWith(verified, 'unresolved').map((reading) =>
    commandsOf(reading).unresolved(reading.header),
  );
  const list = lists.length === 0 ? null : [...new Set(lists)].join('; ');
  return { ...verified, files: options.file.join(', '), commandsOf, list };
}

export type VerifiedWithPart = VerifiedFiles & { readonly part: VerifiedPart };

/** What steps are made from. `list`: the command that lists the rows that only a person can settle. */
interface Subject extends VerifiedWithPart {
  readonly files: string;
  readonly list: string | null;
  commandsOf(reading?: FoundReading): NextCommands;
}

type Steps = (subject: Subject) => readonly VerificationStep[];

/** A step about rows; none without rows. */
const about = (rows: number, who: Actor, what: string, command: string | null = null): ReturnType<Steps> =>
  rows === 0 ? [] : [{ who, what, command, rows }];

const it = (count: number): string => (count === 1 ? 'it' : 'them');

const differing: Steps = ({ part, files }) =>
  part.comparisons.flatMap(({ name, differences, errors_total: errors }) =>
    about(
      errors,
      'importer',
      `Look at ${counted(errors, 'difference')} between ${files} and ${name}.`,
      commandLine('explain', [
        differences.find(({ severity }) => severity === 'error')?.code ?? 'record_missing',
      ]),
    ),
  );

const invalid: Steps = ({ part, files }) => {
  const wrong = part.rows.invalid - part.changed;
  const where = placesOf(part, ({ who, http_status: status }) => who === 'supplier' && status === null);
  return about(
    wrong,
    'supplier',
    `Correct ${counted(wrong, 'invalid row')} of ${files}: ${where}. Then the command is run again with the corrected file.`,
  );
};

const refused: Steps = ({ part, files }) => {
  const rejected = rejectedRows(part);
  const causes = part.groups.filter(
    ({ http_status: status, code }) =>
      status !== null && !THERE_ALREADY.includes(code) && !ABOUT_VERIFY.has(code),
  );
  const named = causes.slice(0, 3).map((group) => `${group.detail} (${placeOf(group)})`);
  const final = part.refused_finally - (part.rows.rejected - rejected);
  return about(
    rejected,
    causes[0]?.who ?? 'platform',
    `Remove the cause of ${counted(rejected, 'refusal')} of ${files}: ${named.join('; ') || 'the platform gave no reason'}. ${causes[0]?.next ?? ''}${final > 0 ? ` ${final} of them ${final === 1 ? 'is' : 'are'} not sent again as ${final === 1 ? 'it is' : 'they are'}: correct the row, or confirm it as missing once the cause on the platform is gone.` : ''}`,
  );
};

/** Refused rows of which the platform does not say that it has them. */
const rejectedRows = (part: VerifiedPart): number =>
  part.rows.rejected - Math.min(part.rows.rejected, problemsOf(part, THERE_ALREADY));

function notImported(subjects: readonly Subject[]): readonly VerificationStep[] {
  const unsent = subjects.flatMap((subject) =>
    subject.part.unsent_accounts.flatMap((each) =>
      OF_OPERATOR.includes(each.reason) ? { ...each, subject } : [],
    ),
  );
  return [...Map.groupBy(unsent, ({ reason }) => reason)].map(([reason, groups]) => {
    const rows = total(groups, (group) => group.rows);
    const lists = groups.flatMap(({ subject: { part, here, commandsOf } }) => {
      const { target } = here[0]!.header;
      return part.suppliers.map((supplier) => `\`${commandsOf().pending({ target }, supplier)}\``);
    });
    const what = `${counted(rows, 'record')} ${rows === 1 ? 'was' : 'were'} not sent, because ${UNSENT[reason]}. Import these accounts, or start their imports again where they failed. An account that the platform does not know has a wrong number in the file, or is missing there. The person who runs the import lists them with ${[...new Set(lists)].join(' and ')}.`;
    return { who: 'platform', what, command: null, rows };
  });
}

/** The commands that go on. One command may be that of several files. */
function again(subjects: readonly Subject[]): readonly VerificationStep[] {
  const open = subjects.flatMap((subject) => leftOf(subject).map((left) => ({ ...left, subject })));
  return [...Map.groupBy(open, ({ command, before }) => `${command} ${before}`).values()].map((lefts) => {
    const [{ command, before }] = lefts as [(typeof open)[number]];
    const rows = total(lefts, (left) => left.rows);
    const files = [...new Set(lefts.map((left) => left.subject.files))].join(', ');
    const records =
      rows === 0
        ? 'the files have changed.'
        : `${counted(rows, 'record')} ${rows === 1 ? 'is' : 'are'} left.`;
    // Records of several resources may wait for one reason.
    const waiting = new Map<string, number>();
    for (const { why, rows: few } of lefts.flatMap(({ more }) => more))
      waiting.set(why, (waiting.get(why) ?? 0) + few);
    const reasons = [...waiting].map(([why, few]) => ` ${counted(few, 'record')}: ${why}.`);
    const what = `${before} the command of ${files} again: ${records}${reasons.join('')}`;
    return { who: 'importer', what, command, rows };
  });
}

/** The records that a command still sends, by the command; null where no command helps yet. */
function leftOf(subject: Subject) {
  const { part, here, files } = subject;
  const { unknown, not_sent: unsent } = part.rows;
  const rows = part.rows.rejected - part.refused_finally + unsent + unknown;
  if (rows === 0 && part.changed_since === null) return [];
  const absent = absentShards(subject);
  if (absent.length > 0) {
    const before = `No journal here has some rows of ${files}: name the folder of the shard ${absent.join(', ')} with --run-dir, or, if nobody has, run`;
    return [{ command: null, before, rows, more: [] }];
  }
  // Nothing is sent while rows are invalid, unless a command says so.
  const isBlocked = part.rows.invalid > part.changed && !here.some(({ choice }) => choice.skipInvalid);
  const before = isBlocked ? 'Once the invalid rows are corrected, run' : 'Run';
  const unsettled = part.unsent_accounts.filter(({ reason }) => !OF_OPERATOR.includes(reason));
  const more = [
    { rows: unknown, why: 'no answer says whether the platform took what was sent' },
    ...unsettled.map((each) => ({ rows: each.rows, why: UNSENT[each.reason] })),
  ];
  return commandsAgain(subject).map((command, index) => ({
    command: isBlocked ? null : command,
    before,
    rows: index === 0 ? rows : 0,
    more: index === 0 ? more.filter((each) => each.rows > 0) : [],
  }));
}

const changed: Steps = ({ part, files, list }) => {
  const { changed: rows } = part;
  const where = placesOf(part, ({ code }) => CONFLICTS.includes(code));
  return about(
    rows,
    'platform',
    `Correct ${counted(rows, 'record')} of ${files}, which the platform has with other content or on another account: ${where}. Then a person confirms the rows (\`dataimport runs confirm\`).`,
    // The journal knows such a row once the files are sent as they are.
    part.changed_since === null ? list : null,
  );
};

const unproven: Steps = ({ part, files, list }) => {
  const rows = part.rows.verify + part.rows.rejected - rejectedRows(part);
  return about(
    rows,
    'importer',
    `Compare ${counted(rows, 'record')} of ${files} with the accounts on the platform, which has ${it(rows)}, or may have: no answer proves that the content is ours. Then a person confirms the rows (\`dataimport runs confirm\`).`,
    list,
  );
};

const vanished: Steps = ({ part: { amount_unit: unit, vanished: gone } }) => {
  const { count, named, sums } = gone;
  const places = named.slice(0, 5).map(({ file, line }) => `${file}:${line}`);
  const amounts = sums.flatMap(({ type, sum }) =>
    sum === null ? [] : `, ${type === null ? '' : `${type} `}${inMajorUnits(sum, unit ?? 'major')}`,
  );
  return about(
    count,
    'importer',
    `${counted(count, 'record')} of earlier versions ${count === 1 ? 'is' : 'are'} on the platform, or may be, and no row is ${it(count)} now: ${places.join(', ')}${count > places.length ? ' …' : ''} then${amounts.join('')}. Put the rows back, or ask the operator to remove ${it(count)}.`,
  );
};

const repeated: Steps = ({ part, files }) => {
  const rows = problemsOf(part, REPEATED);
  const where = placesOf(part, ({ code }) => REPEATED.includes(code));
  return about(
    rows,
    'importer',
    `Look for ${counted(rows, 'record')} of ${files} on the platform: ${rows === 1 ? 'it was' : 'they were'} sent again after a lost answer or a 500, and a platform that does not refuse a second one has ${it(rows)} twice (${where}).`,
  );
};

const problemsOf = ({ groups }: VerifiedPart, codes: readonly string[]): number =>
  total(
    groups.filter(({ code }) => codes.includes(code)),
    ({ count }) => count,
  );

type Group = VerifiedPart['groups'][number];

const placeOf = ({ file, first_lines: lines, count }: Group): string =>
  `${file}${lines.length === 0 ? '' : `:${lines.join(', ')}`}${count > lines.length ? ' …' : ''}`;

/** `t.csv:3, 7 …`: where the problems are that fit. */
function placesOf({ groups }: VerifiedPart, fits: (group: Group) => boolean): string {
  const places = new Set(groups.filter(fits).map(placeOf));
  return [...places].slice(0, 5).join('; ') || 'the list of problems names them';
}

/** The readings with rows of a kind, the newest of each journal that read these files, or else the one that has the records. */
function readingsWith(verified: VerifiedFiles, kind: 'open' | 'unresolved'): readonly FoundReading[] {
  return verified.journals.flatMap(({ file }) => {
    const last = verified.here.find((reading) => reading.file === file && reading[kind] > 0);
    return (last && ofSameFiles(verified).find((reading) => reading.file === file)) ?? last ?? [];
  });
}

/** The commands that send what is left: those that read these files before, or else the one that reads them for the first time. */
function commandsAgain(subject: Subject): readonly string[] {
  const open = subject.standing?.unknownRows === 0 ? readingsWith(subject, 'open') : [];
  const readings = open.length > 0 ? open : ofVeryFiles(subject).slice(0, 1);
  const lines = readings.map((reading) => subject.commandsOf(reading).again(reading));
  return lines.length === 0 ? [subject.send] : [...new Set(lines)];
}

/** The shards of the files that no journal here has, such as `2/4`, while it lacks rows. */
function absentShards(verified: VerifiedFiles): readonly string[] {
  const shards = ofVeryFiles(verified).flatMap(({ header }) => header.options.selection.shard ?? []);
  const [{ count } = { count: 0 }] = shards;
  if (verified.standing?.unknownRows === 0) return [];
  const all = Array.from({ length: count }, (_, at) => shardText({ index: at + 1, count }));
  return all.filter((shard) => !shards.map(shardText).includes(shard));
}

/** The readings of all of the files and no others, and of as many rows. */
function ofVeryFiles(verified: VerifiedFiles): readonly FoundReading[] {
  const { checked, options } = verified;
  const places = new Set(checked.run.header.sources.map(({ place }) => place));
  return ofSameFiles(verified).filter(
    ({ header: { sources, options: its } }) =>
      sources.length === places.size &&
      sources.every(({ place }) => places.has(place)) &&
      its.selection.maxRecords === options.maxRecords,
  );
}
