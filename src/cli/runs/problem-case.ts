import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { dirname, extname, isAbsolute, relative } from 'node:path';
import { shellWord } from '../../core/command-line.ts';
import { AppError } from '../../core/app-error.ts';
import type { OnClose } from '../command/command-ports.ts';
import { cutRanges } from '../csv/byte-ranges.ts';
import { openSourceFile, type SourceFile } from '../csv/source-file.ts';
import { HIDING, type LocatedProblem } from '../push/ports/report.ts';
import type { TracedRecord } from '../push/ports/trace.ts';
import { wordsIn } from '../recording/disguise.ts';
import { choicesOf } from '../recording/disguised-body.ts';
import type { ProblemCase, ProblemRows } from '../replay/problem-fixture.ts';
import type { RunFile } from '../run-file/run-file.ts';
import { readBytes } from '../command/typed-file.ts';
import { STANDARD_INPUT } from '../rejects/rejects.ts';

interface CasePorts {
  /** Path of the contract, if one is set. */
  readonly contract: string | undefined;
  readonly cwd: string;
  readonly onClose: OnClose;
}

/**
 * A problem of a run with the rows that may have to do with it. `number`: its place in the list of the report, from 1.
 * @throws AppError `fixture_not_made`, `source_changed`, `file_not_readable`
 */
export async function problemCase(
  run: RunFile,
  number: number,
  { contract: contractFile, cwd, onClose }: CasePorts,
): Promise<ProblemCase> {
  const { header } = run;
  const { problems, problemsTotal } = run.report();
  const problem = problems[number - 1];
  if (!problem)
    throw notMade(
      run,
      `it has ${problemsTotal} problems, of which the first ${problems.length} have a number`,
    );
  const source = header.sources.findIndex(({ name }) => name === problem.file);
  if (source < 0 || problem.line === null)
    throw notMade(run, 'the problem is at no row of a file of the run');
  const { name, sha256, mappedBy = null } = header.sources[source]!;
  if (name === STANDARD_INPUT) throw notMade(run, 'the rows came from standard input');
  const { columns } = run.mappedSources[source]!;
  if (columns.some(({ file }) => file !== undefined)) throw notMade(run, 'the mapping joins other files');
  const file = await openSourceFile(name, cwd, { maxGzipRatio: Infinity });
  onClose(() => file.close());
  if (file.fingerprint.sha256 !== sha256) throw new AppError('source_changed', { file: name });

  const rowsFile = `rows${extname(name.replace(/\.gz$/i, '')) || '.csv'}`;
  const { inputs, contract } = inputsOf(run, mappedBy?.name, { rowsFile, contractFile, cwd });
  const read = await textsOf(file, rowsAround(run, problem, source + 1), run.bytesBeforeRows(source + 1));
  const isUnknown = problem.code === 'account_not_found';
  const candidates = read.candidates.map((records) =>
    records.map(({ text, record }): ProblemRows => {
      const { importSupplier, account, line, lastLine } = record;
      const isAt = line <= problem.line! && problem.line! <= lastLine;
      return { text, importSupplier, account: isUnknown && isAt ? null : account };
    }),
  );
  const { resource } = header;
  const texts = [...inputs.values()].map((content) => Buffer.from(content).toString('latin1'));
  return {
    code: problem.code,
    column: problem.column,
    above: read.above,
    candidates,
    encoding: read.encoding,
    file: rowsFile,
    inputs,
    contract,
    supplier: header.options.selection?.supplier,
    kept: new Set([read.above, ...texts, choicesOf(resource).join(' ')].flatMap(wordsIn)),
    salt: createHash('sha256').update(`${header.id} ${number}`).digest('hex'),
    today: header.createdAt.slice(0, 10),
    command: (supplier) =>
      [
        'push',
        resource,
        rowsFile,
        ...(mappedBy?.hasTrailer ? ['--no-trailer'] : []),
        ...(supplier === undefined ? [] : ['--supplier', supplier]),
      ]
        .map(shellWord)
        .join(' '),
  };
}

function notMade({ header }: RunFile, reason: string): AppError {
  return new AppError('fixture_not_made', { run: header.id, reason });
}

/** The record of the problem; with the records of its account and id; with the first records of the run. */
function rowsAround(
  run: RunFile,
  { line }: LocatedProblem,
  source: number,
): readonly (readonly TracedRecord[])[] {
  const ofSource = (records: readonly TracedRecord[]) => records.filter((record) => record.source === source);
  const at = ofSource(run.traced({ line: line! }, HIDING).records);
  const related = at.flatMap(({ account, id }) => [
    ...(account === null ? [] : ofSource(run.traced({ account }, HIDING).records)),
    ...(id === null ? [] : ofSource(run.traced({ id }, HIDING).records)),
  ]);
  const first = ofSource(run.traced({}, HIDING).records);
  return [at, [...at, ...related], [...at, ...related, ...first]].map((records) =>
    [...new Map(records.map((record) => [record.seq, record])).values()].toSorted(
      (a, b) => a.byteStart - b.byteStart,
    ),
  );
}

/** Reads the rows of all candidates, and everything above the first row. */
async function textsOf(file: SourceFile, candidates: readonly (readonly TracedRecord[])[], above: number) {
  const records = candidates.at(-1)!;
  const ranges = [
    { start: 0, end: above, seq: 0 },
    ...records.map(({ byteStart: start, byteEnd: end, seq }) => ({ start, end, seq })),
  ];
  const bytes = new Map<number, Buffer>();
  for await (const { range, bytes: cut } of cutRanges(file.bytes(), ranges)) bytes.set(range.seq, cut);
  const all = Buffer.concat([...bytes.values()]);
  const encoding = isUtf8(all) ? 'utf8' : 'latin1';
  const textOf = (seq: number): string => bytes.get(seq)!.toString(encoding);
  const withEnd = (text: string): string => (/[\r\n]$/.test(text) ? text : `${text}\n`);
  return {
    encoding,
    above: textOf(0),
    candidates: candidates.map((chosen) =>
      chosen.map((record) => ({ record, text: withEnd(textOf(record.seq)) })),
    ),
  } as const;
}

/** Mapping, lookup tables and contract, by the names that they have beside the rows. @throws AppError */
function inputsOf(
  run: RunFile,
  mapping: string | undefined,
  { rowsFile, contractFile, cwd }: { rowsFile: string; contractFile: string | undefined; cwd: string },
): { inputs: ReadonlyMap<string, Uint8Array>; contract: string | undefined } {
  const inputs = new Map<string, Uint8Array>();
  const add = (typed: string, sha256: string | undefined, name: string): void => {
    const content = readBytes(typed, cwd);
    if (sha256 !== undefined && createHash('sha256').update(content).digest('hex') !== sha256)
      throw new AppError('source_changed', { file: typed });
    inputs.set(name, content);
  };
  for (const { name, sha256 } of run.header.inputs) {
    const beside =
      mapping === undefined || name === mapping ? `${rowsFile}.map.yaml` : relative(dirname(mapping), name);
    if (beside.startsWith('..') || isAbsolute(beside))
      throw notMade(run, `the mapping uses ${name}, which is not in a folder below it`);
    add(name, sha256, beside);
  }
  const { contract } = run.header.options;
  if (!contract) return { inputs, contract: undefined };
  if (contractFile === undefined)
    throw notMade(run, 'it was checked under a contract: give it with --contract');
  add(contractFile, contract.fileSha256, 'contract.json');
  return { inputs, contract: 'contract.json' };
}
