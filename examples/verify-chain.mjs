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
const fileText = (file) => `${file.id} ${hexOf(file.name)} ${file.bytes} ${file.sha256}`;
const LINKS = `
  SELECT *, link.id AS number FROM link LEFT JOIN attempt ON attempt.id = attempt_id LEFT JOIN event ON event.id = event_id
  ORDER BY link.id`;
const GIVEN = `
  SELECT seq, outcome, amount AS answered, link_id, origin FROM outcome
  UNION ALL SELECT seq, outcome, amount, link_id, origin FROM past_outcome`;
const ANSWERED = `
  SELECT *, record.id AS own_id, record.amount AS read FROM (${GIVEN}) LEFT JOIN record USING (seq)
  LEFT JOIN account ON account.id = account_id
  WHERE link_id NOT IN (SELECT id FROM link WHERE event_id IS NOT NULL) ORDER BY link_id, seq`;
const BY_EVENT = `SELECT * FROM (${GIVEN}) LEFT JOIN other_run ON id = origin WHERE link_id = ? ORDER BY seq`;
const WITHDRAWN = 'SELECT * FROM past_outcome WHERE until_id = ? ORDER BY seq, link_id';
const SENT_BEFORE = 'SELECT * FROM sent_before JOIN other_run ON id = run_id ORDER BY first_seq';
const STAGED = `
  SELECT *, record.id AS own_id FROM record LEFT JOIN account ON account.id = account_id LEFT JOIN cause ON cause.id = cause_id
  WHERE NOT EXISTS (SELECT 1 FROM sent_before WHERE seq BETWEEN first_seq AND last_seq) ORDER BY seq`;
const PROBLEMS = 'SELECT * FROM problem WHERE batch_id IS NULL AND of_history = 0 ORDER BY id';
const WITHOUT_LINK = `
  SELECT 'attempt ' || id AS what FROM attempt WHERE ended_at > 0 AND id NOT IN (SELECT coalesce(attempt_id, 0) FROM link)
  UNION ALL SELECT 'event ' || id FROM event WHERE id NOT IN (SELECT coalesce(event_id, 0) FROM link)`;
/** Everything that is wrong, as lines; empty when files, run and report belong together. */
export function problemsOf({ run: file, ...given }) {
  let db;
  try {
    db = new DatabaseSync(`${pathToFileURL(file).href}?immutable=1`, { readOnly: true, readBigInts: true });
    return [...problemsIn((sql, ...values) => db.prepare(sql).iterate(...values), given)];
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
  const options = JSON.parse(run.options);
  if ((contract && sha256(readFileSync(contract))) !== options.contract?.fileSha256)
    yield `--contract ${contract ?? '(not given)'} is not the contract of the run`;
  const beginning = [
    'dataimport-chain-4',
    `run ${hexOf(run.id)}`,
    `resource ${run.resource}`,
    `target ${hexOf(run.target)}`,
    `database ${hexOf(run.database)}`,
    `created ${run.created_at}`,
    `tool ${hexOf(run.tool_version)}`,
    `version ${run.version}`,
    `content ${run.content_sha256}`,
    `options ${hexOf(JSON.stringify(options))}`,
    ...ofSources.map((file) => `source ${fileText(file)} ${hexOf(file.place)} ${hexOf(file.mapped_by)}`),
    ...ofInputs.map((file) => `input ${fileText(file)}`),
    `staged ${run.staged}`,
  ];
  if (run.staged !== stagedIn(all)) yield 'the rows or problems of its files are not those that were read';
  let [head, links] = [sha256(joined(beginning)), 0n];
  const records = all(ANSWERED);
  let record = records.next().value;
  for (const link of all(LINKS)) {
    const { attempt_id: attempt, event_id: event, outcomes } = link;
    const lines = attempt === null ? [...eventLines(all, link)] : [];
    for (; attempt !== null && record?.link_id <= link.number; record = records.next().value) {
      if (record.payload !== null && sha256(record.payload) !== digits(record.payload_sha256))
        yield `record ${record.seq} is not the text of its hash`;
      lines.push(lineOf(record));
    }
    if (BigInt(lines.length) !== outcomes || sha256(joined(lines)) !== digits(link.records))
      yield `the records of link ${link.number} are not those that it sealed`;
    const facts = [attempt, link.batch_id, link.started_at, link.ended_at, link.status ?? '-', link.result];
    const ofAttempt = `attempt ${facts.join(' ')} ${hexOf(link.reason)}`;
    const ofEvent = `event ${event} ${link.at} ${link.kind} ${hexOf(link.by)} ${hexOf(link.document)}`;
    const sealed = [
      'dataimport-link-2',
      `previous ${head}`,
      attempt === null ? ofEvent : ofAttempt,
      `state ${link.state}`,
      `request ${digits(link.request)}`,
      `answer ${digits(link.answer)}`,
      `records ${outcomes} ${digits(link.records)}`,
    ];
    head = sha256(joined(sealed));
    links++;
    if (head !== digits(link.hash) || link.number !== links)
      yield `link ${links} is not the hash of what it seals`;
  }
  if (record) yield `record ${record.seq} has no link`;
  for (const { what } of all(WITHOUT_LINK)) yield `${what} has no link`;
  if (report.run !== run.id) yield `the report is of the run ${report.run}, and the run file of ${run.id}`;
  if (report.chain.head !== head || report.chain.links !== Number(links))
    yield `the report has the head ${report.chain.head}, and the run file has ${links} links and the head ${head}`;
}

function stagedIn(all) {
  const sealing = createHash('sha256');
  let count = 0;
  for (const row of all(STAGED)) {
    const { seq, state, source_id, first_line, last_line, byte_start, byte_end, amount, kind } = row;
    const place = [seq, state, source_id, first_line, last_line, byte_start, byte_end].join(' ');
    const account = [row.import_supplier, row.external_account_number].map(hexOf).join(' ');
    const texts = [row.identity_key, row.identity_variant, row.own_id, row.type].map(hexOf).join(' ');
    const hashes = [row.payload_sha256, row.content].map(digits).join(' ');
    sealing.update(
      `${place} ${account} ${texts} ${amount ?? '-'} ${hashes} ${kind ?? '-'} ${hexOf(row.place)}\n`,
    );
    count++;
  }
  for (const { severity, code, source_id, line, document } of all(PROBLEMS))
    sealing.update(`problem ${severity} ${code} ${source_id ?? '-'} ${line ?? '-'} ${hexOf(document)}\n`);
  return `${count} ${sealing.digest('hex')}`;
}

function* eventLines(all, { number, document }) {
  for (const given of all(BY_EVENT, number)) yield `+${given.seq} ${given.outcome} ${hexOf(given.run)}`;
  for (const past of all(WITHDRAWN, number)) yield `-${past.seq} ${past.outcome} ${past.link_id}`;
  if (!('rows_sent_before' in JSON.parse(document))) return;
  for (const rows of all(SENT_BEFORE))
    yield `=${rows.first_seq} ${rows.last_seq} ${hexOf(rows.run)} ${rows.there_seq}`;
  for (const { type, count, read } of all('SELECT * FROM sent_before_total ORDER BY type'))
    yield `=${hexOf(type)} ${count} ${read ?? '-'}`;
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
