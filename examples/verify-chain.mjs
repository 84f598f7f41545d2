// Recomputes the chain of a journal (docs/chain.md) with nothing but Node's own modules, and compares it with a report and its files.
//   node verify-chain.mjs --journal JOURNAL.sqlite --report REPORT.json --source FILE… [--input FILE…] [--contract FILE]
// --report: the output of `runs show RUN --json`. --source and --input: as that run has them. Ends with 1 when anything is wrong.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
const sha256 = (content) => createHash('sha256').update(content).digest('hex');
const hexOf = (text) => (text === null ? '-' : Buffer.from(text).toString('hex'));
const digits = (blob) => (blob === null ? '-' : Buffer.from(blob).toString('hex'));
const joined = (lines) => lines.map((line) => `${line}\n`).join('');
const LINKS = `
  SELECT *, link.id AS number FROM link LEFT JOIN attempt ON attempt.id = attempt_id LEFT JOIN event ON event.id = event_id
  ORDER BY link.id`;
const GIVEN = `
  SELECT seq, outcome, amount AS answered, link_id, origin FROM outcome
  UNION ALL SELECT seq, outcome, amount, link_id, origin FROM past_outcome`;
const ANSWERED = `
  SELECT *, record.id AS own_id FROM (${GIVEN}) LEFT JOIN record USING (seq) LEFT JOIN account ON account.id = account_id
  WHERE link_id NOT IN (SELECT id FROM link WHERE event_id IS NOT NULL) ORDER BY link_id, seq`;
const BY_EVENT = `SELECT * FROM (${GIVEN}) WHERE link_id = ? ORDER BY seq`;
const WITHDRAWN = 'SELECT * FROM past_outcome WHERE until_id = ? ORDER BY seq, link_id';
const ROWS = `
  SELECT *, record.id AS own_id, record.place AS row FROM record
  LEFT JOIN account ON account.id = account_id
  WHERE reading_id = ? AND state <> 'replaced' ORDER BY record.place`;
const PROBLEMS =
  'SELECT * FROM problem WHERE reading_id = ? AND batch_id IS NULL AND lasting = 0 ORDER BY id';
const READ_AGAIN = ['changed', 'moved', 'pending', 'repeated'];
const WITHOUT = `
  SELECT 'attempt ' || id || ' has no link' AS what FROM attempt
    WHERE ended_at > 0 AND id NOT IN (SELECT coalesce(attempt_id, 0) FROM link)
  UNION ALL SELECT 'event ' || id || ' has no link' FROM event WHERE id NOT IN (SELECT coalesce(event_id, 0) FROM link)
  UNION ALL SELECT 'row ' || seq || ' has no reading' FROM record WHERE reading_id NOT IN (SELECT id FROM reading)`;

/** Everything that is wrong, as lines; empty when journal, report and files belong together. */
export function problemsOf({ journal, ...given }) {
  let db;
  try {
    db = new DatabaseSync(`${pathToFileURL(journal).href}?immutable=1`, { readOnly: true });
    return [...problemsIn((sql, ...values) => db.prepare(sql).iterate(...values), given)];
  } catch (error) {
    return [`the journal or the report cannot be read: ${error.message}`];
  } finally {
    db?.close();
  }
}

function* problemsIn(all, { report, sources, inputs = [], contract }) {
  for (const { integrity_check: found } of all('PRAGMA integrity_check'))
    if (found !== 'ok') yield `SQLite finds damage: ${found}`;
  const [journal] = all('SELECT * FROM journal');
  const beginning = [
    'dataimport-chain-5',
    `resource ${journal.resource}`,
    `target ${hexOf(journal.target)}`,
    `database ${hexOf(journal.database)}`,
    `supplier ${hexOf(journal.supplier)}`,
    `shard ${journal.shard ?? '-'}`,
    `created ${journal.created_at}`,
    `tool ${hexOf(journal.tool_version)}`,
  ];
  let [head, links] = [sha256(joined(beginning)), 0];
  const records = all(ANSWERED);
  let record = records.next().value;
  const readings = [];
  for (const link of all(LINKS)) {
    const { attempt_id: attempt, event_id: event, outcomes } = link;
    const lines = attempt === null ? eventLines(all, link.number) : [];
    for (; attempt !== null && record?.link_id <= link.number; record = records.next().value)
      lines.push(lineOf(record));
    if (lines.length !== outcomes || sha256(joined(lines)) !== digits(link.records))
      yield `the records of link ${link.number} are not those that it sealed`;
    const facts = [attempt, link.batch_id, link.started_at, link.ended_at, link.status ?? '-', link.result];
    const ofAttempt = `attempt ${facts.join(' ')} ${hexOf(link.reason)}`;
    const ofEvent = `event ${event} ${link.at} ${link.kind} ${hexOf(link.by)} ${hexOf(link.document)}`;
    const sealed = [
      'dataimport-link-3',
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
    if (link.kind === 'read') readings.push(link.document);
  }
  if (record) yield `record ${record.seq} has no link`;
  for (const { what } of all(WITHOUT)) yield what;
  for (const { seq, payload, payload_sha256: hash } of all('SELECT * FROM record WHERE payload IS NOT NULL'))
    if (sha256(payload) !== digits(hash)) yield `record ${seq} is not the text of its hash`;
  yield* problemsOfReadings(all, readings);
  const headers = readings.map((document) => JSON.parse(document).header);
  const sealed = headers.find(({ id }) => id === report.run);
  if (!sealed) return yield `the report is of the run ${report.run}, and the journal has no such reading`;
  yield* differingFiles('source', sealed.sources, sources);
  yield* differingFiles('input', sealed.inputs, inputs);
  if ((contract && sha256(readFileSync(contract))) !== sealed.options.contract?.fileSha256)
    yield `--contract ${contract ?? '(not given)'} is not the contract of the run`;
  if (report.chain.head !== head || report.chain.links !== links)
    yield `the report has the head ${report.chain.head}, and the journal has ${links} links and the head ${head}`;
}

/** `documents`: what the events have sealed of each reading. */
function* problemsOfReadings(all, documents) {
  const readings = [...all('SELECT * FROM reading ORDER BY id')];
  const staged = readings.filter(({ state }) => state === 'staged');
  if (staged.length !== documents.length)
    yield `the journal has ${staged.length} readings, and ${documents.length} are sealed`;
  for (const [index, reading] of staged.entries()) {
    const { id, rows, seal, header } = reading;
    const sources = [...all('SELECT id, name, place FROM source WHERE reading_id = ? ORDER BY id', id)];
    const document = `{"reading":${id},"rows":${JSON.stringify(seal)},"header":${header}}`;
    if (documents[index] !== document || namesOf(sources) !== namesOf(JSON.parse(document).header.sources))
      yield `the reading ${id} is not what was read`;
    const found = rowsIn(all, id, sources[0]?.id - 1);
    // A later reading may have read some of its rows again. They are rows of that reading then.
    const isWhole = found.count >= rows || id === readings.at(-1).id;
    if (Number.parseInt(seal) !== rows || (isWhole && seal !== `${found.count} ${found.sha256}`))
      yield `the rows or problems of the reading ${id} are not those that were read`;
  }
}

const namesOf = (sources) => JSON.stringify(sources.map(({ name, place }) => [name, place]));

function rowsIn(all, reading, before) {
  const sealing = createHash('sha256');
  let count = 0;
  for (const row of all(ROWS, reading)) {
    const { source_id, first_line, last_line, byte_start, byte_end, amount, cause } = row;
    const state = READ_AGAIN.includes(row.state) ? 'valid' : row.state;
    const place = [row.row, state, source_id - before, first_line, last_line, byte_start, byte_end].join(' ');
    const names = [row.import_supplier, row.external_account_number, row.identity_key, row.identity_variant];
    const texts = [...names, row.own_id, row.type].map(hexOf).join(' ');
    const hashes = [row.payload_sha256, row.content].map(digits).join(' ');
    sealing.update(
      `${place} ${texts} ${amount ?? '-'} ${hashes} ${cause ?? '-'} ${hexOf(row.cause_place)}\n`,
    );
    count++;
  }
  for (const { severity, code, source_id, line, document } of all(PROBLEMS, reading)) {
    const source = source_id === null ? '-' : source_id - before;
    sealing.update(`problem ${severity} ${code} ${source} ${line ?? '-'} ${hexOf(document)}\n`);
  }
  return { count, sha256: sealing.digest('hex') };
}

function eventLines(all, number) {
  const given = [...all(BY_EVENT, number)].map(
    ({ seq, outcome, origin }) => `+${seq} ${outcome} ${hexOf(origin)}`,
  );
  const past = [...all(WITHDRAWN, number)].map(
    ({ seq, outcome, link_id }) => `-${seq} ${outcome} ${link_id}`,
  );
  return [...given, ...past];
}

function* differingFiles(kind, sealed, files) {
  if (sealed.length !== files.length)
    yield `the run has ${sealed.length} of --${kind}, and ${files.length} are given`;
  for (const [index, file] of files.entries()) {
    const content = /\.gz$/i.test(file) ? gunzipSync(readFileSync(file)) : readFileSync(file);
    if (sealed[index]?.sha256 !== sha256(content)) yield `${file} is not what the run has read`;
  }
}

function lineOf(row) {
  const texts = [row.import_supplier, row.external_account_number, row.own_id, row.type].map(hexOf);
  const facts = [row.amount ?? '-', digits(row.payload_sha256), row.outcome, row.answered ?? '-'];
  return [row.seq, ...texts, ...facts].join(' ');
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [one, multiple] = [{ type: 'string' }, { type: 'string', multiple: true, default: [] }];
  const options = { journal: one, report: one, source: multiple, input: multiple, contract: one };
  const { source: sources, input: inputs, ...given } = parseArgs({ options }).values;
  const report = JSON.parse(readFileSync(given.report, 'utf8'));
  const found = problemsOf({ ...given, report, sources, inputs });
  console.log(found.length > 0 ? found.join('\n') : `the chain holds, its head is ${report.chain.head}`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
