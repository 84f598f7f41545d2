import { readFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import Database from 'better-sqlite3';
import { main } from '../../../src/cli/main.ts';
import { JsonSyntaxError, parseExactJson } from '../../../src/core/values/exact-json.ts';
import { chained } from '../../support/chained-run.ts';
import { projectRoot } from '../../support/source-tree.ts';
import { chanceFrom, type Chance } from '../chance.ts';
import { violation, type Violation } from '../invariants/violation.ts';
import { simulatedIo } from '../simulated-io.ts';
import { Tally, type CampaignResult, type FoundViolation } from './campaign-result.ts';
import { seedsFrom } from './faults.ts';

/** Longest time for one input, in milliseconds. All are small. */
const MOST_MS = 20_000;

/** How much the process may grow, in bytes. */
const MOST_GROWTH = 1_000_000_000;

/** Seeds that ended in a bug once: unreadable texts of a run, numbers in their place, a format that SQLite does not know, patterns of 70,000 characters and of 10,000 brackets. The short form runs them, too. */
export const KEPT_SEEDS: readonly number[] = [2231, 2708, 2996, 3032, 3329, 3635, 4625, 19777, 21244, 61910];

/** A parser of a stranger's bytes: a good input, and the command lines that read the file. */
interface Target {
  readonly name: string;
  readonly file: string;
  readonly good: Buffer;
  readonly commands: readonly (readonly string[])[];
  readonly mutate?: (bytes: Buffer, chance: Chance, folder: string) => Buffer;
}

/** Gives every parser of a stranger's bytes broken input. It has to end in time, in bounded memory, and with an error of the table. */
export async function fuzzCampaign({
  seed,
  count,
  first = [],
}: {
  readonly seed: number;
  readonly count: number;
  /** Seeds that are tried before those from `seed` on. They do not count. */
  readonly first?: readonly number[];
}): Promise<CampaignResult> {
  const started = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'dataimport-fuzz-'));
  const [counts, events] = [new Tally(), new Tally()];
  const violations: FoundViolation[] = [];
  const answers = await answering();
  try {
    const targets = await targetsIn(folder);
    const before = process.memoryUsage().rss;
    for (const number of [...first, ...seedsFrom(seed, count)]) {
      const chance = chanceFrom(number);
      const target = targets[number % targets.length]!;
      const bytes = (target.mutate ?? mutated)(target.good, chance, folder);
      const broken = await tried(target, bytes, { folder, answers, chance, events });
      counts.add('inputs');
      counts.add('bytes', bytes.length);
      if (process.memoryUsage().rss - before > MOST_GROWTH)
        broken.push(violation('I24', 'the process has grown by a gigabyte'));
      const scenario = `--seed ${number} --count 1, ${target.name}`;
      violations.push(...broken.map((each) => ({ ...each, scenario })));
    }
  } finally {
    answers.close();
    rmSync(folder, { recursive: true, force: true });
  }
  const seconds = (performance.now() - started) / 1000;
  return { campaign: 'fuzz', counts: counts.counts, events: events.sorted(), violations, seconds };
}

/** A server whose answer is whatever it was told last, and that closes the connection after it. */
async function answering() {
  let answer: Buffer = Buffer.alloc(0);
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => void socket.end(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    set: (bytes: Buffer) => void (answer = bytes),
    close: () => server.close(),
  };
}

interface Trial {
  readonly folder: string;
  readonly answers: Awaited<ReturnType<typeof answering>>;
  readonly chance: Chance;
  readonly events: Tally;
}

async function tried(target: Target, bytes: Buffer, trial: Trial): Promise<Violation[]> {
  const { folder, answers, chance, events } = trial;
  const found: Violation[] = [];
  const began = performance.now();
  if (target.file === '') answers.set(bytes);
  else writeFileSync(join(folder, target.file), bytes);
  if (target.commands.length === 0) events.add(`${target.name}: ${exactJsonEnd(bytes, found)}`);
  else {
    const words = chance.pick(target.commands);
    const env = { DATAIMPORT_BASE_URL: answers.url, DATAIMPORT_TOKEN: 'token', DATAIMPORT_SUPPLIER: 'ACME' };
    const timing = {
      nowMs: () => Date.UTC(2026, 10, 21),
      monotonicMs: () => performance.now(),
      sleep: async () => undefined,
      random: () => 0.5,
    };
    const io = simulatedIo({ env, cwd: folder, timing });
    try {
      const code = await main(words, io);
      events.add(`${target.name}: exit ${code}`);
      const { stdout, stderr } = io.printed;
      if (code === 1) found.push(violation('I24', `${words.join(' ')}: ${(stderr + stdout).slice(0, 400)}`));
    } catch (error) {
      found.push(violation('I24', `${words.join(' ')} throws ${String(error)}`));
    }
  }
  const elapsedMs = performance.now() - began;
  if (elapsedMs > MOST_MS) found.push(violation('I24', `it takes ${Math.round(elapsedMs)} ms`));
  // A run file leaves its journal.
  for (const end of ['-wal', '-shm', '-journal'])
    if (target.file !== '') rmSync(join(folder, target.file + end), { force: true });
  return found;
}

function exactJsonEnd(bytes: Buffer, found: Violation[]): string {
  try {
    parseExactJson(bytes.toString('utf8'));
    return 'read';
  } catch (error) {
    if (!(error instanceof JsonSyntaxError))
      found.push(violation('I24', `exact JSON throws ${String(error)}`));
    return 'refused';
  }
}

async function targetsIn(folder: string): Promise<readonly Target[]> {
  const {
    journal,
    report: { run: id },
  } = await chained(folder);
  const header = 'import_supplier,external_account_number,transaction_id,transaction_date,type,amount';
  const row = (number: number): string => `ACME,100${number % 4},"t, ${number}",2026-02-01,CREDIT,1.10\n`;
  const record = (number: number): string =>
    `{"import_supplier":"ACME","external_account_number":"1001","transaction_id":"t-${number}","transaction_date":"2026-02-01","type":"CREDIT","amount":1.10}\n`;
  const numbers = Array.from({ length: 20 }, (_, index) => index);
  const text = (content: string): Buffer => Buffer.from(content);
  const file = (path: string): Buffer => readFileSync(join(projectRoot, path));
  const json =
    '[{"external_account_number":"1001","platform_account_number":"A-1","account_created_at":"2026-11-21T06:00:00Z"}]';
  const answer = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${json.length}\r\nretry-after: 1\r\n\r\n${json}`;
  return [
    {
      name: 'CSV',
      file: 'fuzz.csv',
      good: text(`${header}\n${numbers.map(row).join('')}`),
      commands: [
        ['check', 'transactions', 'fuzz.csv'],
        ['inspect', 'fuzz.csv'],
        ['init', 'fuzz.csv', '--resource', 'transactions'],
      ],
    },
    {
      name: 'JSON Lines',
      file: 'fuzz.jsonl',
      good: text(numbers.map(record).join('')),
      commands: [
        ['check', 'transactions', 'fuzz.jsonl'],
        ['inspect', 'fuzz.jsonl'],
      ],
    },
    { name: 'exact JSON', file: 'fuzz.json', good: text(`[${numbers.map(record).join(',')}]`), commands: [] },
    {
      name: 'mapping',
      file: 'fuzz.map.yaml',
      good: file('fixtures/australian-retailer/invoices.csv.map.yaml'),
      commands: [['check', '--map', 'fuzz.map.yaml']],
    },
    {
      name: 'cohort',
      file: 'night.yaml',
      good: text(
        'version: 1\nsupplier: ACME\nresources:\n  transactions: { files: ["r*.csv"] }\nwait_for_accounts: 4h\n',
      ),
      commands: [['migrate', 'night.yaml', '--dry-run']],
    },
    {
      name: 'configuration',
      file: 'config.yaml',
      good: text(
        '# the settings of the night, as the lead wrote them\nsupplier: ACME\nbaseUrl: https://a.example\ntimeZone: Europe/London\n',
      ),
      commands: [['config', '--config', 'config.yaml']],
    },
    {
      name: 'OpenAPI',
      file: 'api.yaml',
      good: file('fixtures/contracts/ostrelle/openapi.yaml'),
      commands: [['contract', 'import', 'api.yaml', '--out', 'made.json', '--force']],
    },
    {
      name: 'HTTP answer',
      file: '',
      good: text(answer),
      commands: [
        ['accounts', '--supplier', 'ACME'],
        ['status', '1001', '--supplier', 'ACME'],
        ['auth', '--supplier', 'ACME'],
      ],
    },
    {
      name: 'journal',
      file: relative(folder, journal),
      good: readFileSync(journal),
      commands: [['runs'], ['runs', 'show', id], ['verify', '--json'], ['runs', 'show', id, '--line', '3']],
      mutate: mutatedRun,
    },
  ];
}

/** Pieces that parsers stumble over. */
const PIECES: readonly string[] = [
  '\0',
  '\uFEFF',
  '"',
  "'",
  '""""',
  '\r',
  '\n\n',
  '\u2028',
  '\u202E',
  ',',
  ';',
  '\t',
  '{',
  '}',
  '[',
  ']',
  ': ',
  '- ',
  '|',
  '>',
  '#',
  '&a [*a, *a]',
  '*a',
  '!!binary x',
  '!!js/function x',
  '<<: *a',
  '? ',
  '---\n',
  '...\n',
  '%YAML 9.9\n',
  '$ref: "#/"',
  '$ref: "#/components"',
  '1e999',
  '-0',
  '0x10',
  '9'.repeat(400),
  '1.'.concat('0'.repeat(400)),
  '\\ud800',
  '\\u0000',
  'NaN',
  'Infinity',
  '__proto__',
  'constructor',
  '['.repeat(5_000),
  '{"a":'.repeat(5_000),
  'a'.repeat(70_000),
  '(a+)+$',
  '\x1f\x8b\x08\0',
  'PK\x03\x04',
  'SQLite format 3\0',
  'HTTP/1.1 103 Early Hints\r\n\r\n',
  'transfer-encoding: chunked\r\n',
  'content-length: 5\r\n',
  'content-encoding: gzip\r\n',
  'retry-after: 99999999999999999999\r\n',
  'trailer: x\r\n',
  '0\r\n\r\n',
  'ffffffffff\r\n',
];

/** Changes bytes at up to four places. */
function mutated(good: Buffer, chance: Chance): Buffer {
  let bytes = good;
  for (let times = chance.below(5); times > 0; times--) bytes = chance.pick(CHANGES)(bytes, chance);
  return bytes;
}

/** A part of some bytes. */
const partOf = (bytes: Buffer, chance: Chance): Buffer => {
  const from = chance.below(bytes.length + 1);
  return bytes.subarray(from, from + chance.below(64));
};

const inserted = (bytes: Buffer, part: Buffer, chance: Chance): Buffer => {
  const at = chance.below(bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)]);
};

const CHANGES: readonly ((bytes: Buffer, chance: Chance) => Buffer)[] = [
  (bytes, chance) => bytes.subarray(0, chance.below(bytes.length + 1)),
  (bytes, chance) => inserted(bytes, Buffer.from(chance.pick(PIECES)), chance),
  (bytes, chance) => inserted(bytes, Buffer.from(chance.pick(PIECES)), chance),
  (bytes, chance) => inserted(bytes, partOf(bytes, chance), chance),
  (bytes, chance) => inserted(bytes, Buffer.from(Array.from({ length: 8 }, () => chance.below(256))), chance),
  (bytes, chance) => {
    const at = chance.below(bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + chance.below(32))]);
  },
  (bytes, chance) => {
    const changed = Buffer.from(bytes);
    for (let times = chance.below(16); times >= 0 && changed.length > 0; times--)
      changed[chance.below(changed.length)] = chance.below(256);
    return changed;
  },
];

const PAGE = 4_096;

const STATEMENTS = [
  'CREATE TRIGGER t AFTER UPDATE ON run BEGIN DELETE FROM record; END',
  'DROP TABLE record',
  'ALTER TABLE record ADD COLUMN more TEXT',
  'CREATE VIEW v AS SELECT 1',
  "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'NOT NULL', '') WHERE name = 'record'",
  "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = rootpage + 1 WHERE type = 'table'",
  "UPDATE run SET choice = 'x'",
  'UPDATE record SET payload = zeroblob(100000)',
  'DELETE FROM batch',
  'PRAGMA user_version = 99999',
];

/** Changes a run file: bytes at random, pages that change their places or are empty, another schema, the beginning alone. */
function mutatedRun(good: Buffer, chance: Chance, folder: string): Buffer {
  const bytes = Buffer.from(good);
  const page = (): number => chance.below(Math.floor(bytes.length / PAGE)) * PAGE;
  switch (chance.below(5)) {
    case 0:
      return mutated(good, chance);
    case 1: {
      const [one, other] = [page(), page()];
      good.copy(bytes, one, other, other + PAGE);
      good.copy(bytes, other, one, one + PAGE);
      return bytes;
    }
    case 2:
      bytes.fill(chance.below(2) * 255, page(), page() + PAGE);
      return bytes;
    case 3: {
      // The header of the file, and that of a page.
      const from = chance.below(2) === 0 ? 0 : page();
      for (let times = chance.below(6); times >= 0; times--)
        bytes[from + chance.below(100)] = chance.below(256);
      return bytes;
    }
    default: {
      const path = join(folder, 'edited.sqlite');
      writeFileSync(path, good);
      const db = new Database(path);
      try {
        db.unsafeMode();
        db.pragma('foreign_keys = OFF');
        db.pragma('ignore_check_constraints = ON');
        db.exec(chance.pick(STATEMENTS));
      } catch {
        // SQLite refuses some edits of itself. The file is as good as before, or half edited.
      } finally {
        db.close();
      }
      return readFileSync(path);
    }
  }
}
