import {
  cpSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import Database from 'better-sqlite3';
import type { Resource } from '../../../src/core/contract/resources.ts';
import type { LedgerLine } from '../../support/ledger.ts';
import type { LieNight } from './lie-night.ts';

/** A way to make ledger, run files, index or files tell something else than what happened. */
export interface Tampering {
  readonly name: string;
  /** Returns false when it means nothing for the resource. */
  readonly apply: (night: LieNight, resource: Resource) => void | false;
  /** Why the morning's commands cannot find it (docs/chain.md); left out when they must. */
  readonly hidden?: string;
}

type Change = (lines: LedgerLine[], resource: Resource) => readonly LedgerLine[] | false;

const inLedger =
  (change: Change): Tampering['apply'] =>
  (night, resource) => {
    let meansNothing = false;
    night.inLedger(resource, (lines) => {
      const changed = change(lines, resource);
      meansNothing = changed === false;
      return changed === false ? lines : changed;
    });
    return meansNothing ? false : undefined;
  };

const inRun =
  (statements: string): Tampering['apply'] =>
  (night, resource) =>
    night.inRun(resource, statements);

/** The amount of a record. A note and an instruction have none, so their text and their reference stand for it. */
const VALUE: Readonly<Record<Resource, string>> = {
  transactions: 'amount',
  notes: 'body',
  statements: 'gross_amount',
  'payment-instructions': 'reference',
};
const ID: Readonly<Record<Resource, string>> = {
  transactions: 'transaction_id',
  notes: 'body',
  statements: 'statement_id',
  'payment-instructions': 'reference',
};
const DATE: Readonly<Record<Resource, string>> = {
  transactions: 'transaction_date',
  notes: 'created_at',
  statements: 'issued_date',
  'payment-instructions': 'vendor',
};
const TEXT: Readonly<Record<Resource, string>> = {
  transactions: 'reason',
  notes: 'body',
  statements: 'number',
  'payment-instructions': 'type',
};

function withField(line: LedgerLine, field: string, change: (value: unknown) => unknown): LedgerLine {
  return { ...line, data: { ...line.data, [field]: change(line.data[field]) } };
}

const otherValue = (value: unknown): unknown =>
  typeof value === 'number'
    ? value + 100
    : /^\d+\.\d\d$/.test(String(value))
      ? `9${String(value)}`
      : `${String(value)}x`;

const inFile =
  (change: (rows: readonly string[]) => readonly string[]): Tampering['apply'] =>
  (night, resource) => {
    const file = night.fileOf(resource);
    const [header, ...rows] = readFileSync(file, 'utf8').trimEnd().split('\n');
    writeFileSync(file, `${[header, ...change(rows)].join('\n')}\n`);
  };

/** Moves between the first records of two accounts, or of one. */
function swapped(
  lines: readonly LedgerLine[],
  field: string,
  ofOneAccount: boolean,
): readonly LedgerLine[] | false {
  const [first] = lines as [LedgerLine];
  const isOther = (line: LedgerLine): boolean =>
    (line.external_account_number === first.external_account_number) === ofOneAccount &&
    line.data[field] !== first.data[field];
  const other = lines.find(isOther);
  if (!other) return false;
  return lines.map((line) =>
    line === first
      ? withField(line, field, () => other.data[field])
      : line === other
        ? withField(line, field, () => first.data[field])
        : line,
  );
}

const LEDGER: readonly Tampering[] = [
  { name: 'ledger: a record is gone', apply: inLedger((lines) => lines.slice(1)) },
  {
    name: 'ledger: half of the records are gone',
    apply: inLedger((lines) => lines.filter((_, index) => index % 2)),
  },
  { name: 'ledger: all records are gone', apply: inLedger(() => []) },
  { name: 'ledger: a record is there twice', apply: inLedger((lines) => [...lines, lines[0]!]) },
  {
    name: 'ledger: all rows twice under other ids',
    apply: inLedger((lines, resource) => [
      ...lines,
      ...lines.map((line) => withField(line, ID[resource], (id) => `${String(id)}-again`)),
    ]),
  },
  {
    name: 'ledger: 20 records more on one account',
    apply: inLedger((lines, resource) => [
      ...lines,
      ...Array.from({ length: 20 }, (_, index) =>
        withField(lines[0]!, ID[resource], (id) => `${String(id)}+${index}`),
      ),
    ]),
  },
  {
    name: 'ledger: a row that another tool added to an account without rows',
    apply: inLedger((lines) => [...lines, { ...lines[0]!, external_account_number: '1009' }]),
    hidden:
      'an account without rows in the files belongs to other files; verify counts its records and does not judge them',
  },
  {
    name: 'ledger: a value changed',
    apply: inLedger((lines, resource) => [
      withField(lines[0]!, VALUE[resource], otherValue),
      ...lines.slice(1),
    ]),
  },
  {
    name: 'ledger: two values swapped between accounts',
    apply: inLedger((lines, resource) => swapped(lines, VALUE[resource], false)),
  },
  {
    name: 'ledger: two values of one account swapped, so that its sums agree',
    apply: inLedger((lines, resource) =>
      resource === 'notes' ? false : swapped(lines, VALUE[resource], true),
    ),
  },
  {
    name: 'ledger: cents moved between two records, so that sums agree',
    apply: inLedger(([first, second, ...rest], resource) => {
      const field = VALUE[resource];
      const cents = (line: LedgerLine): number => Math.round(Number(line.data[field]) * 100);
      if (Number.isNaN(cents(first!))) return false;
      const whole = resource === 'statements';
      const text = (line: LedgerLine, more: number): unknown => {
        const value = whole ? Number(line.data[field]) + more : ((cents(line) + more) / 100).toFixed(2);
        return typeof line.data[field] === 'number' ? Number(value) : String(value);
      };
      return [
        withField(first!, field, () => text(first!, 1)),
        withField(second!, field, () => text(second!, -1)),
        ...rest,
      ];
    }),
  },
  {
    name: 'ledger: a record on another account',
    apply: inLedger(([first, ...rest]) => [
      { ...first!, external_account_number: rest.at(-1)!.external_account_number },
      ...rest,
    ]),
  },
  {
    name: 'ledger: two accounts swapped',
    apply: inLedger((lines) =>
      lines.map((line) =>
        line.external_account_number === '1001'
          ? { ...line, external_account_number: '1002' }
          : line.external_account_number === '1002'
            ? { ...line, external_account_number: '1001' }
            : line,
      ),
    ),
  },
  {
    name: 'ledger: another supplier',
    apply: inLedger(([first, ...rest]) => [{ ...first!, import_supplier: 'OTHER' }, ...rest]),
  },
  {
    name: 'ledger: a date changed by a day',
    apply: inLedger(([first, ...rest], resource) => [
      withField(
        first!,
        DATE[resource],
        (date) =>
          String(date).replace(/-0(\d)/, (_, digit) => `-0${(Number(digit) % 9) + 1}`) +
          (resource === 'payment-instructions' ? 'X' : ''),
      ),
      ...rest,
    ]),
  },
  {
    name: 'ledger: all dates in 1926',
    apply: inLedger((lines, resource) =>
      resource === 'payment-instructions'
        ? false
        : lines.map((line) =>
            withField(line, DATE[resource], (date) => String(date).replace(/^\d{4}/, '1926')),
          ),
    ),
  },
  {
    name: 'ledger: a text changed',
    apply: inLedger(([first, ...rest], resource) => [
      withField(first!, TEXT[resource], (text) => `${JSON.stringify(text ?? '')} changed`),
      ...rest,
    ]),
  },
  {
    name: 'ledger: a field is gone',
    apply: inLedger(([first, ...rest], resource) => {
      const { [TEXT[resource] in first!.data ? TEXT[resource] : DATE[resource]]: _, ...data } = first!.data;
      return [{ ...first!, data }, ...rest];
    }),
  },
  {
    name: 'ledger: an id in other letters',
    apply: inLedger(([first, ...rest], resource) => [
      withField(first!, ID[resource], (id) => String(id).toUpperCase()),
      ...rest,
    ]),
  },
  {
    name: 'ledger: the order of two records',
    apply: inLedger(([first, second, ...rest]) => {
      if (first!.external_account_number !== second!.external_account_number) return false;
      return [{ ...second!, seq: first!.seq }, { ...first!, seq: second!.seq }, ...rest];
    }),
    hidden: 'the interface gives records no place of their own: their dates decide, and these are compared',
  },
];

const RUN: readonly Tampering[] = [
  {
    name: 'run: an outcome is gone',
    apply: inRun('DELETE FROM outcome WHERE seq = (SELECT min(seq) FROM outcome)'),
  },
  {
    name: 'run: a record and its outcome are gone',
    apply: inRun(
      'DELETE FROM outcome WHERE seq = (SELECT max(seq) FROM record); DELETE FROM record WHERE seq = (SELECT max(seq) FROM record)',
    ),
  },
  {
    name: 'run: three records are gone with their requests',
    apply: inRun(
      'DELETE FROM batch WHERE account_id = 1; DELETE FROM outcome WHERE seq IN (SELECT seq FROM record WHERE account_id = 1); DELETE FROM record WHERE account_id = 1',
    ),
  },
  {
    name: 'run: an amount or id changed',
    apply: inRun(`UPDATE record SET amount = '1.00', id = 'x' WHERE seq = (SELECT max(seq) FROM record)`),
  },
  {
    name: 'run: the account of a record changed',
    apply: inRun(`UPDATE account SET external_account_number = '7' WHERE id = 1`),
  },
  { name: 'run: another outcome', apply: inRun(`UPDATE outcome SET outcome = 'confirmed'`) },
  { name: 'run: an answered amount changed', apply: inRun(`UPDATE outcome SET amount = '0.01'`) },
  {
    name: 'run: a row was left out',
    apply: inRun(`UPDATE record SET state = 'filtered' WHERE seq = (SELECT max(seq) FROM record)`),
  },
  {
    name: 'run: an invalid row more',
    apply: inRun(
      `INSERT INTO record (seq, state, reading_id, place, source_id, first_line, last_line, byte_start, byte_end)
         SELECT 999, 'invalid', id, 999, (SELECT max(id) FROM source), 99, 99, 0, 0 FROM reading ORDER BY id DESC LIMIT 1;
       UPDATE reading SET last_seq = 999 WHERE id = (SELECT max(id) FROM reading)`,
    ),
  },
  {
    name: 'run: the content of a record changed',
    apply: inRun(`UPDATE record SET content = zeroblob(32) WHERE seq = (SELECT max(seq) FROM record)`),
  },
  {
    name: 'run: a request is open again',
    apply: inRun(`UPDATE batch SET state = 'planned' WHERE id = (SELECT min(id) FROM batch)`),
  },
  { name: 'run: a request has other attempts', apply: inRun(`UPDATE batch SET attempts = attempts + 1`) },
  { name: 'run: the status of an answer changed', apply: inRun(`UPDATE attempt SET status = 500`) },
  {
    name: 'run: the times of the night changed',
    apply: inRun(`UPDATE attempt SET started_at = '2020-01-01T00:00:00Z', ended_at = '2020-01-01T00:00:00Z'`),
  },
  {
    name: 'run: the last link is gone',
    apply: inRun(`DELETE FROM link WHERE id = (SELECT max(id) FROM link)`),
  },
  { name: 'run: the hash of a request changed', apply: inRun(`UPDATE link SET request = randomblob(32)`) },
  {
    name: 'run: a problem was invented',
    apply: inRun(
      `INSERT INTO problem (reading_id, severity, code, document) SELECT max(id), 'error', 'x', '0 {}' FROM reading`,
    ),
  },
  { name: 'run: another platform', apply: inRun(`UPDATE journal SET target = 'https://other.example'`) },
  {
    name: 'run: another file',
    apply: inRun(`UPDATE reading SET header = json_set(header, '$.sources[0].sha256', hex(zeroblob(32)))`),
  },
  {
    name: 'run: other options',
    apply: inRun(`UPDATE reading SET header = json_set(header, '$.options', json('{}'))`),
  },
  { name: 'run: a trigger', apply: inRun(`CREATE TRIGGER t AFTER UPDATE ON batch BEGIN SELECT 1; END`) },
  {
    name: 'run: the last request and its link were never sent, and the index is gone',
    apply(night, resource) {
      night.inRun(
        resource,
        `
        DELETE FROM outcome WHERE link_id = (SELECT max(id) FROM link);
        DELETE FROM attempt WHERE id = (SELECT attempt_id FROM link ORDER BY id DESC LIMIT 1);
        DELETE FROM link WHERE id = (SELECT max(id) FROM link);
        UPDATE batch SET attempts = (SELECT count(*) FROM attempt WHERE batch_id = batch.id);
        UPDATE batch SET state = 'planned' WHERE EXISTS (SELECT 1 FROM record WHERE record.account_id = batch.account_id
          AND seq BETWEEN first_seq AND last_seq AND seq NOT IN (SELECT seq FROM outcome))`,
      );
      rmSync(night.headFile(resource), { force: true });
    },
  },
  {
    name: 'run: an older copy',
    apply(night, resource) {
      const runs = join(night.folder, '.dataimport', 'journal');
      const old = join(night.oldRuns, relative(runs, night.runFile(resource)));
      if (!existsSync(old) || isSame(old, night.runFile(resource))) return false;
      cpSync(old, night.runFile(resource));
    },
  },
  {
    name: 'run: a truncated write-ahead log',
    apply(night, resource) {
      const file = night.runFile(resource);
      const copy = `${file}-made`;
      cpSync(file, copy);
      const db = new Database(file);
      db.pragma('journal_mode = WAL');
      db.pragma('wal_autocheckpoint = 0');
      // The last commits are in the journal alone, as when a machine has lost its power.
      db.exec(
        'CREATE TEMP TABLE kept AS SELECT * FROM outcome; DELETE FROM outcome WHERE seq = (SELECT max(seq) FROM outcome)',
      );
      const { size } = statSync(`${file}-wal`);
      db.exec('INSERT OR REPLACE INTO outcome SELECT * FROM kept');
      cpSync(file, copy);
      cpSync(`${file}-wal`, `${copy}-wal`);
      db.close();
      truncateSync(`${copy}-wal`, size);
      renameSync(copy, file);
      renameSync(`${copy}-wal`, `${file}-wal`);
    },
  },
  {
    name: 'run: the file of another resource under its name',
    apply(night, resource) {
      const other = resource === 'notes' ? 'transactions' : 'notes';
      cpSync(night.runFile(other), night.runFile(resource));
    },
  },
  { name: 'run: the file is gone', apply: (night, resource) => rmSync(night.runFile(resource)) },
  {
    name: 'run: half of the file is gone',
    apply: (night, resource) => truncateSync(night.runFile(resource), 40_960),
  },
];

const HEADS: readonly Tampering[] = [
  {
    name: 'head: another one',
    apply: (night, resource) =>
      writeFileSync(night.headFile(resource), JSON.stringify({ links: 1, head: 'a'.repeat(64) })),
  },
  {
    name: 'head: it is gone',
    apply: (night, resource) => rmSync(night.headFile(resource)),
    hidden: 'the journal proves itself, and only an older copy of it is noticed no more',
  },
];

const FILES: readonly Tampering[] = [
  { name: 'files: a row is gone', apply: inFile((rows) => rows.slice(1)) },
  { name: 'files: no row is left', apply: inFile(() => []) },
  { name: 'files: a row twice', apply: inFile((rows) => [...rows, rows[0]!]) },
  { name: 'files: a row more', apply: inFile((rows) => [...rows, rows[0]!.replaceAll('1001', '1009')]) },
  {
    name: 'files: a value changed',
    apply: inFile(([first, ...rest]) => [
      first!.replace(/.$/, (last) => (/\d/.test(last) ? String((Number(last) + 1) % 10) : 'X')),
      ...rest,
    ]),
  },
  {
    name: 'files: another account',
    apply: inFile(([first, ...rest]) => [first!.replace('ACME,1001', 'ACME,1005'), ...rest]),
  },
  {
    name: 'files: the file of another night',
    apply: inFile((rows) => rows.map((row) => row.replaceAll('100', '200'))),
  },
];

export const TAMPERINGS: readonly Tampering[] = [...LEDGER, ...RUN, ...HEADS, ...FILES];

function isSame(a: string, b: string): boolean {
  return readFileSync(a).equals(readFileSync(b));
}
