import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMMAND } from '../support/built-cli.ts';
import { servedPlatform } from './served-platform.ts';

/** The numbers of two users of one machine: the one who types commands, and the one who has put files in the way. */
export interface TwoUsers {
  readonly victim: number;
  readonly stranger: number;
}

/** One way for the stranger to reach the victim, and what was wrong; null when the victim is safe. */
export interface PlayedSituation {
  readonly name: string;
  readonly wrong: string | null;
}

interface World extends TwoUsers {
  readonly writers: typeof WRITERS;
  /** A folder that every user may write. */
  readonly folder: string;
  readonly file: (path: string, text: string, owner: number, mode?: number) => string;
  readonly typed: (
    words: readonly string[],
    more?: Readonly<Record<string, string | undefined>>,
  ) => Promise<{ readonly exit: number | null; readonly said: string }>;
}

const ROWS = [
  'import_supplier,external_account_number,transaction_id,transaction_date,type,amount',
  'ACME,A-0,t-1,2026-02-01,CREDIT,1.00',
  'ACME,missing,t-2,2026-02-01,CREDIT,2.00',
];
const CSV = `${ROWS.join('\n')}\n`;
const PUSH = ['push', 'transactions', 't.csv', '-j', '1', '--on-reject', 'skip'];
const REFUSED_ROW = 6;

/** Commands that write a file, with their flag last. */
export const WRITERS: readonly (readonly string[])[] = [
  [...PUSH, '--report-json'],
  [...PUSH, '--report-html'],
  [...PUSH, '--report-junit'],
  [...PUSH, '--rejects'],
  [...PUSH, '--metrics-file'],
  [...PUSH, '--log-file'],
  ['check', 'transactions', 't.csv', '--sarif'],
  ['report', '--html'],
  ['map', 'init', 'transactions', 't.csv', '--out'],
  ['verify', 'transactions', 't.csv', '--accounts'],
];

const PRECIOUS = 'nobody may replace this\n';

type Situation = (world: World) => Promise<string | null>;

const SITUATIONS: Readonly<Record<string, Situation>> = {
  async 'a configuration of the stranger in a folder above is not obeyed'({ folder, file, stranger, typed }) {
    const trace = join(folder, 'ran');
    file('dataimport.config.yaml', `apiKeyCommand: touch ${trace}; echo key\n`, stranger);
    for (const words of [PUSH, ['auth', 'check'], ['config', 'show']]) {
      const { exit, said } = await typed(words, { DATAIMPORT_API_KEY: undefined });
      if (exit !== 2 || !said.includes('config_untrusted')) return `${words[0]!} ended with ${exit}: ${said}`;
    }
    return existsSync(trace) ? 'the command of the stranger ran' : null;
  },

  async 'a run folder of the stranger is not used'({ folder, stranger, typed }) {
    runsOf(folder, stranger, 0o777);
    return notUsed(await typed(PUSH));
  },

  async 'a run file of the stranger in a folder that others may write is not used'(world) {
    const runs = runsOf(world.folder, world.victim, 0o777);
    world.file(join(runs, '20261121-101502-transactions-0000.sqlite'), 'x', world.stranger, 0o666);
    return notUsed(await world.typed(PUSH));
  },

  async 'nobody waits for a lock of the stranger'({ folder, victim, stranger, typed }) {
    const lock = join(runsOf(folder, victim, 0o777), 'begin.lock');
    execFileSync('mkfifo', ['-m', '666', lock]);
    lchownSync(lock, stranger, stranger);
    return notUsed(await typed(PUSH));
  },

  async 'a key file that the stranger may read is refused'({ file, victim, typed }) {
    const key = file('key', 'campaign-key\n', victim, 0o644);
    const { exit, said } = await typed(['auth', 'check'], {
      DATAIMPORT_API_KEY: undefined,
      DATAIMPORT_API_KEY_FILE: key,
    });
    return exit === 2 && said.includes('secret_file_open') ? null : `it ended with ${exit}: ${said}`;
  },

  async 'a link of the stranger in the place of an output leads nowhere'(world) {
    const { folder, file, victim, stranger, typed, writers } = world;
    const precious = file('precious', PRECIOUS, victim, 0o600);
    const wrong: string[] = [];
    for (const target of [precious, join(folder, 'made')])
      for (const words of writers) {
        const output = join(folder, 'out');
        symlinkSync(target, output);
        lchownSync(output, stranger, stranger);
        await typed([...words, 'out']);
        if (existsSync(join(folder, 'made'))) wrong.push(`${words.at(-1)!} made the file`);
        if (readFileSync(precious, 'utf8') !== PRECIOUS) wrong.push(`${words.at(-1)!} replaced the file`);
        for (const name of ['made', 'out']) rmSync(join(folder, name), { force: true });
        file('precious', PRECIOUS, victim, 0o600);
      }
    return wrong.join(', ') || null;
  },

  async 'a file of the stranger in the place of an output stays as it is'({
    folder,
    file,
    stranger,
    typed,
    writers,
  }) {
    const wrong: string[] = [];
    for (const words of writers) {
      // An empty file would be replaced.
      const output = file('out', '', stranger, 0o666);
      await typed([...words, 'out']);
      if (lstatSync(output).uid === stranger && statSync(output).size > 0)
        wrong.push(`${words.at(-1)!} wrote into it`);
      rmSync(join(folder, 'out'), { force: true });
    }
    return wrong.join(', ') || null;
  },

  async 'files that are written are private, whatever the umask'({ folder, victim, typed, writers }) {
    const wrong: string[] = [];
    for (const words of writers) {
      await typed([...words, `out-${words.at(-1)!.slice(2)}`]);
      await typed(['report']);
    }
    const runs = join(folder, '.dataimport', 'runs');
    const all = [folder, runs].flatMap((above) => readdirSync(above).map((name) => join(above, name)));
    const own = [runs, ...all].filter((path) => lstatSync(path).uid === victim && !path.endsWith('t.csv'));
    // Metrics are for another program, and a mapping has no rows.
    const open = own.filter(
      (path) => (lstatSync(path).mode & 0o077) !== 0 && !/out-(metrics-file|out)$/.test(path),
    );
    if (open.length > 0) wrong.push(`others may read ${open.join(', ')}`);
    if (own.length < writers.length + 3) wrong.push(`only ${own.length} files were written`);
    return wrong.join(', ') || null;
  },

  async 'a temporary folder that all share keeps nothing, and nobody can read what is there meanwhile'(
    world,
  ) {
    const { folder, typed } = world;
    const shared = join(folder, 'tmp');
    mkdirSync(shared);
    chmodSync(shared, 0o1777);
    const seen = new Map<string, number>();
    const look = setInterval(() => {
      for (const name of readdirSync(shared)) {
        const stats = lstatSync(join(shared, name), { throwIfNoEntry: false });
        if (stats) seen.set(name, stats.mode);
      }
    }, 2);
    for (const words of [
      PUSH,
      ['check', 'transactions', '-'],
      ['demo', '--port', '0'],
      ['verify', 'transactions', 't.csv'],
    ])
      await typed(words, { TMPDIR: shared });
    clearInterval(look);
    const open = [...seen].flatMap(([name, mode]) => ((mode & 0o077) === 0 ? [] : name));
    const left = readdirSync(shared);
    return open.length + left.length === 0 ? null : `open: ${open.join(', ')}; left: ${left.join(', ')}`;
  },
};

/** Without the traps every command does its work, so that no situation is safe because nothing works. */
async function works({ typed }: World): Promise<string | null> {
  const { exit, said } = await typed(PUSH);
  return exit === REFUSED_ROW ? null : `a push ended with ${exit}: ${said}`;
}

function runsOf(folder: string, owner: number, mode: number): string {
  const runs = join(folder, '.dataimport', 'runs');
  for (const path of [join(folder, '.dataimport'), runs]) {
    mkdirSync(path);
    chmodSync(path, mode);
    lchownSync(path, owner, owner);
  }
  return runs;
}

function notUsed({ exit, said }: { exit: number | null; said: string }): string | null {
  return exit === 8 && said.includes('run_folder_foreign') ? null : `it ended with ${exit}: ${said}`;
}

/** Plays every situation, each in its own folder. Only root can put the files there. */
export async function playedSituations(
  users: TwoUsers,
  writers = WRITERS,
): Promise<readonly PlayedSituation[]> {
  const platform = await servedPlatform();
  const above = mkdtempSync(join(tmpdir(), 'dataimport-two-users-'));
  chmodSync(above, 0o755);
  try {
    const played: PlayedSituation[] = [];
    for (const [name, play] of Object.entries({ 'without a trap a push works': works, ...SITUATIONS })) {
      const world = worldIn(mkdtempSync(join(above, 'folder-')), { ...users, writers }, platform.url);
      played.push({ name, wrong: await play(world) });
    }
    return played;
  } finally {
    rmSync(above, { recursive: true, force: true });
    await platform.stop();
  }
}

function worldIn(folder: string, users: TwoUsers & Pick<World, 'writers'>, url: string): World {
  chmodSync(folder, 0o777);
  const file: World['file'] = (name, text, owner, mode = 0o644) => {
    const path = join(folder, name.replace(`${folder}/`, ''));
    writeFileSync(path, text);
    lchownSync(path, owner, owner);
    chmodSync(path, mode);
    return path;
  };
  file('t.csv', CSV, users.victim);
  const inner = join(folder, 'home');
  mkdirSync(inner, { mode: 0o700 });
  lchownSync(inner, users.victim, users.victim);
  const base = {
    PATH: process.env['PATH'],
    HOME: inner,
    DATAIMPORT_BASE_URL: url,
    DATAIMPORT_API_KEY: 'campaign-key',
    DATAIMPORT_SUPPLIER: 'ACME',
  };
  return {
    ...users,
    folder,
    file,
    typed: (words, more = {}) =>
      new Promise((resolve) => {
        const shell = ['-c', 'umask 000; exec "$0" "$@"', process.execPath, COMMAND, ...words];
        const user = { uid: users.victim, gid: users.victim };
        const child = spawn('sh', shell, {
          cwd: folder,
          env: { ...base, ...more },
          ...user,
          timeout: 60_000,
        });
        let said = '';
        for (const stream of [child.stdout, child.stderr])
          stream.on('data', (text) => (said += String(text)));
        child.stdin.end(CSV);
        child.on('close', (exit) => resolve({ exit, said }));
      }),
  };
}
