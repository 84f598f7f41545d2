import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parse } from 'yaml';
import { AppError } from '../../../src/core/app-error.ts';
import type { Resource } from '../../../src/core/contract/resources.ts';
import { openSourceFile } from '../../../src/cli/csv/source-file.ts';
import { eachItem, type SourceRow } from '../../../src/cli/csv/source-row.ts';
import { draftMapping } from '../../../src/cli/inspect/draft/draft-mapping.ts';
import { inspectFile } from '../../../src/cli/inspect/inspect-file.ts';
import { likeExamples } from '../../../src/cli/inspect/like/like.ts';
import { readExamples } from '../../../src/cli/map/examples.ts';
import type { MappingPlan } from '../../../src/cli/mapping/mapping-plan.ts';
import { mappedSources } from '../../../src/cli/sources/mapped-source.ts';
import { projectRoot } from '../../support/source-tree.ts';
import { chanceFrom, type Chance } from '../chance.ts';
import { Tally, type CampaignResult, type FoundViolation } from './campaign-result.ts';

const FOLDER = join(projectRoot, 'fixtures');

/** Records of a draw. */
const DRAWN = 5;
/** How often the records of the rows that a draft asks for are added to the examples. */
const ROUNDS = 3;

/** A file of a fixture with the mapping that people wrote. */
interface LikeScene {
  readonly name: string;
  readonly resource: Resource;
  readonly cwd: string;
  readonly file: string;
  readonly map: string;
}

/** A file with invalid rows, and one whose fields are those of an operator. */
const OTHERS = new Set(['gzip-wrong-rows/bookings.csv', 'operator-ostrelle/bills.csv']);

/** The files of fixtures that a mapping without a query or a contract makes valid records of. */
const LIKE_SCENES: readonly LikeScene[] = globSync('*/*.map.yaml', { cwd: FOLDER })
  .toSorted()
  .flatMap((path) => {
    const { resource, source } = parse(readFileSync(join(FOLDER, path), 'utf8')) as {
      resource: Resource;
      source?: { sql?: string };
    };
    const stem = path.replace('.map.yaml', '');
    if (source?.sql !== undefined || OTHERS.has(stem)) return [];
    const file = globSync(`${stem}{,.gz}`, { cwd: FOLDER })[0]!;
    return [
      { name: stem, resource, cwd: join(FOLDER, dirname(path)), file: basename(file), map: basename(path) },
    ];
  });

/** What becomes of each record of a file, by the line on which it begins: its fields, or nothing for a row that is left out. */
type Records = ReadonlyMap<number, Readonly<Record<string, unknown>> | undefined>;

/** Records as a mapping makes them; the reason where it refuses a row. */
async function recordsOf(
  { resource, cwd, file }: LikeScene,
  map: string,
  supplier?: string,
): Promise<Records | string> {
  const closing: (() => unknown)[] = [];
  const source = await openSourceFile(file, cwd);
  const records = new Map<number, Readonly<Record<string, unknown>> | undefined>();
  try {
    const [mapped] = await mappedSources(
      [source],
      { resource, map, supplier },
      { cwd, onClose: (step) => void closing.push(step) },
    );
    let plan: MappingPlan | undefined;
    let open: [SourceRow, ...SourceRow[]] | undefined;
    let refusal: string | undefined;
    const close = (): void => {
      if (!open || !plan) return;
      const { account, record, problems } = plan.candidateOf(open, true);
      const error = problems.find(({ problem }) => problem.severity === 'error');
      if (error)
        refusal ??= `line ${open[0].firstLine}: ${error.problem.code} ${error.problem.path.join('.')}`;
      records.set(open[0].firstLine, { ...account, ...(record as object) });
      open = undefined;
    };
    for await (const item of eachItem(mapped!.items)) {
      if (item.kind === 'unreadable') return `line ${item.line}: ${item.problem.code}`;
      if (item.kind === 'broken') return `line ${item.row.firstLine}: ${item.problem.code}`;
      if (item.kind === 'header') {
        const tied = mapped!.mapping(item.names, item.elements);
        const error = tied.problems.find(({ problem }) => problem.severity === 'error');
        if (error) return error.problem.code;
        ({ plan } = tied);
      }
      if (item.kind !== 'row' || !plan) continue;
      const { row } = item;
      if (row.cells.every((cell) => cell === '')) continue;
      if (open && plan.continues(row, open[0])) open.push(row);
      else {
        close();
        if (plan.filteredBy(row, true) === undefined) open = [row];
        else records.set(row.firstLine, undefined);
      }
    }
    close();
    return refusal ?? records;
  } catch (error) {
    return (error as Error).message;
  } finally {
    for (const step of closing) await step();
    await source.close();
  }
}

/** The end of one draw. */
interface LikeEnd {
  /**
   * `exact`: all records. `asked`: all records, once the records that the draft asks for were added. `open`: questions are
   * left. `refused`: no draft, or a check fails. `wrong`: another record in silence.
   */
  readonly end: 'exact' | 'asked' | 'open' | 'refused' | 'wrong';
  readonly words: string;
  readonly examples: number;
}

/** Draws records of a file, drafts a mapping from them, and compares what it makes of the whole file. */
async function likeDraw(scene: LikeScene, chance: Chance): Promise<LikeEnd> {
  const folder = mkdtempSync(join(tmpdir(), 'dataimport-like-'));
  try {
    return await drawIn(folder, scene, chance);
  } catch (error) {
    if (error instanceof AppError) return { end: 'refused', words: error.message, examples: 0 };
    throw error;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function drawIn(folder: string, scene: LikeScene, chance: Chance): Promise<LikeEnd> {
  const truth = await recordsOf(scene, scene.map);
  if (typeof truth === 'string') throw new TypeError(`${scene.name}: ${truth}`);
  const lines = [...truth].flatMap(([line, record]) => (record ? [line] : []));
  const drawn = new Set<number>();
  while (drawn.size < Math.min(DRAWN, lines.length)) drawn.add(chance.pick(lines));
  for (let round = 0; ; round++) {
    const draft = await draftOf(
      folder,
      scene,
      [...drawn].map((line) => truth.get(line)!),
    );
    const answered = withAnswers(draft.text, truth, round === ROUNDS);
    const open = [...answered.matchAll(/# QUESTION \d+: (.*)/g)].map((match) => match[1]!);
    const base = { examples: drawn.size };
    const more = draft.asked.filter((line) => truth.get(line) && !drawn.has(line));
    if (open.length > 0 && more.length > 0 && round < ROUNDS) {
      for (const line of more) drawn.add(line);
      continue;
    }
    if (open.length > 0) return { ...base, end: 'open', words: open[0]! };
    const path = join(folder, 'draft.map.yaml');
    writeFileSync(path, answered);
    const made = await recordsOf(scene, path);
    if (typeof made === 'string') return { ...base, end: 'refused', words: made };
    const difference = differenceOf(truth, made);
    if (difference !== undefined) return { ...base, end: 'wrong', words: difference };
    return { ...base, end: round === 0 ? 'exact' : 'asked', words: '' };
  }
}

async function draftOf(
  folder: string,
  { resource, cwd, file }: LikeScene,
  records: readonly Readonly<Record<string, unknown>>[],
): Promise<{ text: string; asked: readonly number[] }> {
  writeFileSync(join(folder, 'wanted.csv'), csvOf(records));
  const closing: (() => unknown)[] = [];
  const onClose = (step: () => unknown): void => void closing.push(step);
  const source = await openSourceFile(file, cwd);
  onClose(() => source.close());
  try {
    const examples = await readExamples(
      'wanted.csv',
      { resource, descriptors: undefined },
      { cwd: folder, onClose },
    );
    const { content, endsWithSubstitute: hasEndMark } = await inspectFile(source, { showValues: false });
    const request = { resource, file, showValues: false, hasEndMark };
    const like = await likeExamples(source, { content: content!, request, examples });
    return { text: draftMapping(content!, request, like).text, asked: like.asked };
  } finally {
    for (const step of closing) await step();
  }
}

function csvOf(records: readonly Readonly<Record<string, unknown>>[]): string {
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const cell = (value: unknown): string => {
    if (value === undefined) return '';
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `"${text.replaceAll('"', '""')}"`;
  };
  return (
    [names.join(), ...records.map((record) => names.map((name) => cell(record[name])).join())].join('\n') +
    '\n'
  );
}

/**
 * Answers as a person who knows the file: control records are some, and rows that do not arrive do not. Where rows arrive that the
 * draft asks about, their records are added to the examples as long as that is possible.
 */
function withAnswers(text: string, truth: Records, isLast: boolean): string {
  const question = /^( *)# QUESTION \d+: (.*)\n((?: *#  .*\n)*)/.source;
  return text
    .replaceAll(
      new RegExp(`${question}filter:\n((?:#   - .*\n)+)`, 'gm'),
      (...[all, , text, more, answers]: string[]) => {
        const lines = [...`${text!} ${more!}`.replaceAll(/\n? *# +/g, ' ').matchAll(/first on line (\d+)/g)];
        const isLeftOut = (at: number): boolean => truth.get(Number(lines[at]![1])) === undefined;
        const conditions = answers!.trimEnd().split('\n');
        const chosen = conditions.filter((_, at) => isLeftOut(at));
        if (!isLast && chosen.length < conditions.length) return all!;
        return chosen.length === 0 ? '' : ['filter:', ...chosen.map((line) => line.slice(2)), ''].join('\n');
      },
    )
    .replaceAll(
      new RegExp(`${question}((?: *# .*\\n)+)`, 'gm'),
      (all, _indent: string, text: string, _more: string, answer: string) =>
        /control record/.test(text) ? answer.replaceAll(/^( *)# /gm, '$1') : all,
    );
}

function differenceOf(truth: Records, made: Records): string | undefined {
  const shown = (record: object | undefined): string =>
    JSON.stringify(
      record &&
        Object.entries(record)
          .filter(([, value]) => value !== undefined)
          .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ) ?? 'none';
  for (const [line, record] of truth)
    if (shown(record) !== shown(made.get(line)))
      return `line ${line}: ${shown(made.get(line))} instead of ${shown(record)}`;
  return made.size > truth.size ? `${made.size} rows instead of ${truth.size}` : undefined;
}

/**
 * Draws from each file of the fixtures `count` times. Nothing may be wrong in silence, and all files but those out of reach are
 * found in 9 of 10 draws.
 */
export async function likeCampaign({
  seed,
  count,
  without = [],
}: {
  seed: number;
  count: number;
  /** Names of files that are left out. */
  without?: readonly string[];
}): Promise<CampaignResult> {
  const started = performance.now();
  const [counts, events] = [new Tally(), new Tally()];
  const violations: FoundViolation[] = [];
  for (const scene of LIKE_SCENES.filter(({ name }) => !without.includes(name))) {
    let found = 0;
    for (let draw = seed; draw < seed + count; draw++) {
      const { end, words, examples } = await likeDraw(scene, chanceFrom(draw));
      counts.add('draws');
      counts.add('examples', examples);
      counts.add(end);
      events.add(`${scene.name}: ${end}`);
      if (end === 'exact' || end === 'asked') found++;
      if (end === 'wrong')
        violations.push({ invariant: 'I25', words, scenario: `${scene.name}, seed ${draw}` });
    }
    const words = `${found} of ${count} draws are found`;
    if (!OUT_OF_REACH.has(scene.name) && found < count * 0.9)
      violations.push({ invariant: 'I25', words, scenario: `${scene.name}, seeds from ${seed}` });
  }
  const seconds = (performance.now() - started) / 1000;
  return { campaign: 'like', counts: counts.counts, events: events.sorted(), violations, seconds };
}

/**
 * Files of which a draft from examples asks or refuses: records of a second file, a table without delimiters, and rows that differ in
 * nothing that a record shows.
 */
const OUT_OF_REACH = new Set([
  'joined-files/contacts.csv',
  'joined-files/invoices.csv',
  'mainframe-report/ledger.txt',
  'uk-billing/contact-notes.csv',
]);
