// Recomputes the chain of a run (docs/chain.md) with nothing but Node's own modules, and compares it with files and report.
//   node verify-chain.mjs --run RUN.sqlite --report REPORT.json --source FILE… [--input FILE…] [--contract FILE]
// --report: the output of `runs show RUN --json`. --source and --input: as the run has them. Ends with 1 when anything is wrong.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
const sha256 = (content) => createHash('sha256').update(content).digest('hex');
const hexOf = (text) => (text === null ? '-' : Buffer.from(text).toString('hex'));
const digits = (blob) => (blob === null ? '-' : Buffer.from(blob).toString('hex'));
const rowsOf = (all, table) => [...all(`SELECT * FROM ${table} ORDER BY id`)];
const joined = (lines) => lines.map((line) => `${line}\n`).join('');
const fileLine = (kind) => (file) => `${kind} ${hexOf(file.name)} ${file.bytes} ${file.sha256}`;
const LINKS = 'SELECT * FROM link LEFT JOIN attempt ON attempt.id = attempt_id ORDER BY link.id';
const WITHOUT_LINK = 'SELECT id FROM attempt WHERE ended_at > 0 AND id NOT IN (SELECT attempt_id FROM link)';
const SEALED_RECORDS = `
  SELECT *, record.id AS own_id, record.amount AS read, outcome.amount AS answered
  FROM outcome LEFT JOIN record USING (seq) LEFT JOIN account ON account.id = account_id ORDER BY link_id, seq`;
/** Everything that is wrong, as lines; empty when files, run and report belong together. */
export function problemsOf({ run: file, ...given }) {
  let db;
  try {
    db = new DatabaseSync(`${pathToFileURL(file).href}?immutable=1`, { readOnly: true, readBigInts: true });
    return [...problemsIn((sql) => db.prepare(sql).iterate(), given)];
  } catch (error) {
    return [`the run file or the report cannot be read: ${error.message}`];
  } finally {
    db?.close();
  }
}

function* problemsIn(all, { report, sources, inputs = [], contract }) {
  for (const { integrity_check: found } of all('PRAGMA integrity_check'))
    if (found !== 'ok') yield `SQLite finds damage: ${found}`;
  const run = [...all('SELECT * FROM run')][0];
  const [ofSources, ofInputs] = [rowsOf(all, 'source'), rowsOf(all, 'input')];
  yield* differingFiles('source', ofSources, sources);
  yield* differingFiles('input', ofInputs, inputs);
  const { onReject: _, ...options } = JSON.parse(run.options);
  if ((contract && sha256(readFileSync(contract))) !== options.contract?.fileSha256)
    yield `--contract ${contract ?? '(not given)'} is not the contract of the run`;
  const beginning = [
    'dataimport-chain-2',
    `run ${hexOf(run.id)}`,
    `resource ${run.resource}`,
    `target ${hexOf(run.target)}`,
    `created ${run.created_at}`,
    `version ${hexOf(run.tool_version)}`,
    `parent ${hexOf(run.parent)}`,
    `options ${hexOf(JSON.stringify(options))}`,
    ...ofSources.map(fileLine('source')),
    ...ofInputs.map(fileLine('input')),
  ];
  let [head, links] = [sha256(joined(beginning)), 0n];
  const records = all(SEALED_RECORDS);
  let record = records.next().value;
  for (const link of all(LINKS)) {
    const { attempt_id: attempt, outcomes, state, reason } = link;
    const lines = [];
    for (; record && record.link_id <= links + 1n; record = records.next().value) {
      if (record.payload !== null && sha256(record.payload) !== digits(record.payload_sha256))
        yield `record ${record.seq} is not the text of its hash`;
      lines.push(lineOf(record));
    }
    // `resume` removes the refusals that had stopped the run, so only the hash of such records is left.
    const isWithdrawn = state === 'rejected' && BigInt(lines.length) < outcomes;
    const isWhole = BigInt(lines.length) === outcomes && sha256(joined(lines)) === digits(link.records);
    if (!isWithdrawn && !isWhole)
      yield `the records of attempt ${attempt} are not those that its link sealed`;
    const facts = [attempt, link.batch_id, link.started_at, link.ended_at, link.status ?? '-', link.result];
    const sealed = [
      'dataimport-link-1',
      `previous ${head}`,
      `attempt ${facts.join(' ')} ${hexOf(reason)}`,
      `state ${state}`,
      `request ${digits(link.request)}`,
      `answer ${digits(link.answer)}`,
      `records ${outcomes} ${digits(link.records)}`,
    ];
    head = sha256(joined(sealed));
    links++;
    if (head !== digits(link.hash)) yield `link ${links} is not the hash of what it seals`;
  }
  if (record) yield `record ${record.seq} has no link`;
  for (const { id } of all(WITHOUT_LINK)) yield `attempt ${id} has ended and has no link`;
  if (report.run !== run.id) yield `the report is of the run ${report.run}, and the run file of ${run.id}`;
  if (report.chain.head !== head || report.chain.links !== Number(links))
    yield `the report has the head ${report.chain.head}, and the run file has ${links} links and the head ${head}`;
}

function* differingFiles(kind, rows, files) {
  if (rows.length !== files.length)
    yield `the run has ${rows.length} of --${kind}, and ${files.length} are given`;
  for (const [index, file] of files.entries()) {
    const content = /\.gz$/i.test(file) ? gunzipSync(readFileSync(file)) : readFileSync(file);
    if (rows[index]?.sha256 !== sha256(content)) yield `${file} is not what the run has read`;
  }
}

function lineOf(row) {
  const place = [row.seq, row.source_id, row.first_line, row.last_line, row.byte_start, row.byte_end];
  const texts = [row.import_supplier, row.external_account_number, row.own_id, row.type].map(hexOf);
  const facts = [row.read ?? '-', digits(row.payload_sha256), row.outcome, row.answered ?? '-'];
  return [...place, ...texts, ...facts].join(' ');
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [one, multiple] = [{ type: 'string' }, { type: 'string', multiple: true, default: [] }];
  const options = { run: one, report: one, source: multiple, input: multiple, contract: one };
  const { source: sources, input: inputs, ...given } = parseArgs({ options }).values;
  const report = JSON.parse(readFileSync(given.report, 'utf8'));
  const found = problemsOf({ ...given, report, sources, inputs });
  console.log(found.length > 0 ? found.join('\n') : `the chain holds, its head is ${report.chain.head}`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
