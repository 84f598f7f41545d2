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
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { COMMAND } from '../support/built-cli.ts';
import { typingProcess } from '../support/typing-process.ts';
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
  /** Types a line into a process that has typed others before, with the home folder of the first one. */
  readonly typed: (words: readonly string[], more?: Variables) => Promise<Ended>;
  /** Starts the command as a process of its own. */
  readonly started: (
    words: readonly string[],
    more?: Variables,
    /** What happens before standard input ends. */
    meanwhile?: (pid: number, hasEnded: () => boolean) => Promise<void>,
  ) => Promise<Ended>;
}

type Variables = Readonly<Record<string, string | undefined>>;
type Ended = { readonly exit: number | null; readonly said: string };

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
  [...PUSH, '--rejects'],
  [...PUSH, '--log-file'],
  ['check', 'transactions', 't.csv', '--junit'],
  ['verify', '--html'],
  ['verify', '--junit'],
];

const PRECIOUS = 'nobody may replace this\n';

type Situation = (world: World) => Promise<string | null>;

const SITUATIONS: Readonly<Record<string, Situation>> = {
  async 'a configuration of the stranger in a folder above is not obeyed'({ folder, file, stranger, typed }) {
    const trace = join(folder, 'ran');
    file('dataimport.config.yaml', `apiKeyCommand: touch ${trace}; echo key\n`, stranger);
    for (const words of [PUSH, ['auth'], ['config']]) {
      const wrong = notObeyed(words, await typed(words, { DATAIMPORT_API_KEY: undefined }));
      if (wrong !== null) return wrong;
    }
    return existsSync(trace) ? 'the command of the stranger ran' : null;
  },

  async 'a configuration of the stranger in an open home folder is not obeyed'({
    folder,
    stranger,
    file,
    started,
  }) {
    const trace = join(folder, 'ran');
    const home = join(folder, 'open-home');
    const config = join(home, '.config', 'dataimport');
    mkdirSync(config, { recursive: true });
    for (const path of [home, join(home, '.config'), config]) {
      chmodSync(path, 0o777);
      lchownSync(path, stranger, stranger);
    }
    file(join(config, 'config.yaml'), `apiKeyCommand: touch ${trace}; echo key\n`, stranger);
    const wrong = notObeyed(PUSH, await started(PUSH, { DATAIMPORT_API_KEY: undefined, HOME: home }));
    if (wrong !== null) return wrong;
    return existsSync(trace) ? 'the command of the stranger ran' : null;
  },

  async 'an empty variable with a key is refused, and no key of a file takes its place'({
    folder,
    file,
    victim,
    typed,
  }) {
    file('dataimport.config.yaml', `apiKeyFile: ${file('key', 'campaign-key\n', victim, 0o600)}\n`, victim);
    chmodSync(folder, 0o755);
    for (const name of ['DATAIMPORT_API_KEY', 'DATAIMPORT_TOKEN']) {
      const { exit, said } = await typed(['auth'], { DATAIMPORT_API_KEY: undefined, [name]: '' });
      if (exit !== 2 || !said.includes(`(${name})`)) return `it ended with ${exit}: ${said}`;
    }
    const { exit, said } = await typed(['auth'], { DATAIMPORT_API_KEY: undefined });
    return exit === 0 ? null : `without the variable it ended with ${exit}: ${said}`;
  },

  async 'what is made in a home folder is private, whatever the mode of the folder and the umask'({
    folder,
    file,
    victim,
    started,
  }) {
    file('dataimport.config.yaml', 'supplier: ACME\n', victim);
    const home = join(folder, 'wide-home');
    mkdirSync(home);
    chmodSync(home, 0o777);
    lchownSync(home, victim, victim);
    await started(PUSH, { HOME: home });
    const made = readdirSync(home, { recursive: true, encoding: 'utf8' });
    if (!made.includes('.cache/dataimport/compiled')) return `only ${made.join(', ')} was made`;
    const isClosed = (name: string): boolean => (lstatSync(join(home, name)).mode & 0o077) === 0;
    // What is in a closed folder cannot be reached.
    const open = made.filter((name) => !isClosed(name) && !isClosed(dirname(name)));
    return open.length === 0 ? null : `others may use ${open.join(', ')}`;
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
    const { exit, said } = await typed(['auth'], {
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
    }
    const runs = join(folder, '.dataimport', 'journal');
    const all = [folder, runs].flatMap((above) => readdirSync(above).map((name) => join(above, name)));
    const own = [runs, ...all].filter((path) => lstatSync(path).uid === victim && !path.endsWith('t.csv'));
    // A mapping has no rows.
    const open = own.filter((path) => (lstatSync(path).mode & 0o077) !== 0 && !path.endsWith('out-out'));
    if (open.length > 0) wrong.push(`others may read ${open.join(', ')}`);
    if (own.length < writers.length + 3) wrong.push(`only ${own.length} files were written`);
    return wrong.join(', ') || null;
  },

  async 'a temporary folder that all share keeps nothing, and nobody can read what is there meanwhile'(
    world,
  ) {
    const { folder, typed, started, victim, writers } = world;
    const shared = join(folder, 'tmp');
    mkdirSync(shared);
    chmodSync(shared, 0o1777);
    const seen = new Map<string, number>();
    // The copy of standard input is there for as long as the input has no end. It has no name, so only its process leads to it.
    let copy: number | undefined;
    const untilCopied = async (pid: number, hasEnded: () => boolean): Promise<void> => {
      while (copy === undefined && !hasEnded()) {
        copy = modeOfNamelessFile(pid, shared);
        await setTimeout(20);
      }
    };
    const { said } = await started(['check', 'transactions', '-'], { TMPDIR: shared }, untilCopied);
    if (copy === undefined || (copy & 0o077) !== 0) return `the copy has the mode ${copy}: ${said}`;
    const look = (): void => {
      for (const name of readdirSync(shared)) {
        const stats = lstatSync(join(shared, name), { throwIfNoEntry: false });
        if (stats) seen.set(name, stats.mode);
      }
    };
    const looking = setInterval(look, 2);
    const demo = join(folder, '.dataimport');
    mkdirSync(demo, { mode: 0o700 });
    lchownSync(demo, victim, victim);
    // The demo takes long, and sends as `push` does.
    const long = writers === WRITERS ? [['demo']] : [];
    for (const words of [PUSH, ...long, ['verify', 'transactions', 't.csv']]) {
      const { exit, said } = await typed(words, { TMPDIR: shared });
      if (exit === 2) return `${words[0]!} did nothing: ${said}`;
    }
    clearInterval(looking);
    const open = [...seen].flatMap(([name, mode]) => ((mode & 0o077) === 0 ? [] : name));
    const left = readdirSync(shared);
    return open.length + left.length === 0 ? null : `open: ${open.join(', ')}; left: ${left.join(', ')}`;
  },
};

/** Without the traps every command does its work, so that no situation is safe because nothing works. */
async function works({ started }: World): Promise<string | null> {
  const { exit, said } = await started(PUSH);
  return exit === REFUSED_ROW ? null : `a push ended with ${exit}: ${said}`;
}

function runsOf(folder: string, owner: number, mode: number): string {
  const runs = join(folder, '.dataimport', 'journal');
  for (const path of [join(folder, '.dataimport'), runs]) {
    mkdirSync(path);
    chmodSync(path, mode);
    lchownSync(path, owner, owner);
  }
  return runs;
}

/** The mode of an open file of a process whose name in a folder is gone. Linux shows it. */
function modeOfNamelessFile(pid: number, folder: string): number | undefined {
  const open = `/proc/${pid}/fd`;
  for (const name of existsSync(open) ? readdirSync(open) : [])
    try {
      const path = readlinkSync(join(open, name));
      if (path.startsWith(folder) && path.endsWith(' (deleted)')) return statSync(join(open, name)).mode;
    } catch {
      // The process has closed it meanwhile.
    }
  return undefined;
}

function notObeyed(words: readonly string[], { exit, said }: { exit: number | null; said: string }) {
  return exit === 2 && said.includes('config_untrusted') ? null : `${words[0]!} ended with ${exit}: ${said}`;
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
  const typing = typingProcess({ uid: users.victim, gid: users.victim });
  const above = mkdtempSync(join(tmpdir(), 'dataimport-two-users-'));
  chmodSync(above, 0o755);
  try {
    const played: PlayedSituation[] = [];
    for (const [name, play] of Object.entries({ 'without a trap a push works': works, ...SITUATIONS })) {
      const world = worldIn(mkdtempSync(join(above, 'folder-')), { ...users, writers, typing }, platform.url);
      played.push({ name, wrong: await play(world) });
    }
    return played;
  } finally {
    await typing.end();
    rmSync(above, { recursive: true, force: true });
    await platform.stop();
  }
}

function worldIn(
  folder: string,
  { typing, ...users }: TwoUsers & Pick<World, 'writers'> & { typing: ReturnType<typeof typingProcess> },
  url: string,
): World {
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
    typed: async (words, more = {}) => {
      const { exit, stdout, stderr } = await typing.typed({ words, cwd: folder, env: { ...base, ...more } });
      return { exit, said: stdout + stderr };
    },
    started: (words, more = {}, meanwhile = async () => undefined) =>
      new Promise((resolve, reject) => {
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
        child.stdin.on('error', () => undefined);
        child.stdin.write(CSV);
        let hasEnded = false;
        child.on('close', (exit) => {
          hasEnded = true;
          resolve({ exit, said });
        });
        void meanwhile(child.pid!, () => hasEnded).then(() => child.stdin.end(), reject);
      }),
  };
}
