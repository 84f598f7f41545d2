import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src/core/app-error.ts';
import { assertOwn } from '../../../src/cli/settings/file-owner.ts';
import { fakeIo, runCli, type FakeIoOptions } from '../../support/cli-io.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const FILE = 'dataimport.config.yaml';

/** A project with a file, and a command that is typed in a folder below it. */
function project(content = 'supplier: ACME\n') {
  const folder = temporaryFolder();
  const file = join(folder, FILE);
  writeFileSync(file, content);
  const cwd = join(folder, 'exports');
  mkdirSync(cwd);
  const configDir = join(temporaryFolder(), 'dataimport');
  const world: FakeIoOptions = { cwd, configDir };
  const credentials = async (more: FakeIoOptions = {}, ...argv: readonly string[]) => {
    const io = fakeIo({ ...world, ...more });
    const { json, exitCode } = await runCli(['config', '--json', ...argv], io);
    const { credentials, problems } = json() as {
      credentials?: string;
      problems?: readonly { code: string; detail: string }[];
    };
    return { exitCode, said: credentials ?? problems?.[0]?.detail, code: problems?.[0]?.code };
  };
  return { folder, file, cwd, configDir, world, credentials };
}

/** A user who owns nothing of the test. */
const STRANGER = 4711;

const isRoot = process.getuid?.() === 0;

function refusal(act: () => void): unknown {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.facts['reason'];
    throw error;
  }
}

const owned = (uid: number, mode = 0o600) => ({ uid, mode }) as Parameters<typeof assertOwn>[1];

test('a configuration file that was found on Windows is refused outside of the home folder', () => {
  const { folder, file } = project();
  const on = (homeDir: string) => () => assertOwn(file, owned(0), { userId: undefined, env: {}, homeDir });
  expect(refusal(on(folder))).toBeUndefined();
  expect(refusal(on(dirname(folder)))).toBeUndefined();
  for (const home of [join(folder, 'project'), temporaryFolder()])
    expect(refusal(on(home))).toMatch(/outside of your home folder/);
});

describe.skipIf(process.platform === 'win32')('a configuration file that was found by searching', () => {
  test('is refused when another user owns it, and obeyed when the user or root does', () => {
    const { file } = project();
    const me = process.getuid!();
    expect(refusal(() => assertOwn(file, owned(STRANGER), { userId: me, env: {}, homeDir: '/' }))).toBe(
      `it belongs to another user (uid ${STRANGER})`,
    );
    expect(refusal(() => assertOwn(file, owned(me), { userId: me, env: {}, homeDir: '/' }))).toBeUndefined();
    expect(refusal(() => assertOwn(file, owned(0), { userId: me, env: {}, homeDir: '/' }))).toBeUndefined();
  });

  test.skipIf(isRoot)('of the user who runs the test is refused for another user', async () => {
    const { credentials } = project();
    expect(await credentials({ userId: STRANGER })).toMatchObject({ exitCode: 2, code: 'config_untrusted' });
  });

  test.skipIf(!isRoot)(
    'of another user is refused, also for root, and the message names its owner',
    async () => {
      const { file, credentials } = project();
      chownSync(file, STRANGER, STRANGER);
      const refused = await credentials();
      expect(refused).toMatchObject({ exitCode: 2, code: 'config_untrusted' });
      expect(refused.said).toContain(`${file} is not obeyed: it belongs to another user (uid ${STRANGER})`);
      expect(await credentials({ userId: STRANGER })).toMatchObject({ exitCode: 0 });
    },
  );

  test('is refused when it is a pipe, which would keep every command waiting', async () => {
    const { file, credentials } = project();
    rmSync(file);
    execFileSync('mkfifo', [file]);
    expect(await credentials()).toMatchObject({ exitCode: 2, code: 'config_untrusted' });
  });

  test('is refused when its folder is writable for everybody, unless the folder is sticky', async () => {
    const { folder, file, credentials } = project('supplier: ACME\n');
    chmodSync(folder, 0o777);
    expect(await credentials()).toMatchObject({ exitCode: 2, code: 'config_untrusted' });
    chmodSync(folder, 0o1777);
    expect(await credentials()).toMatchObject({ exitCode: 0 });
    chmodSync(file, 0o666);
    expect(await credentials()).toMatchObject({ exitCode: 2, code: 'config_untrusted' });
  });

  test('is obeyed when it is named', async () => {
    const { folder, file, credentials } = project();
    chmodSync(folder, 0o777);
    expect(await credentials({}, '--config', file)).toMatchObject({ exitCode: 0 });
    expect(await credentials({ env: { DATAIMPORT_CONFIG: file } })).toMatchObject({ exitCode: 0 });
  });
});

describe.skipIf(!isRoot)("the user's own configuration file", () => {
  const ALICE = 4712;

  /** A home folder whose folders below it belong to a user, with a file of somebody else. */
  function home(owner: number, fileOwner: number, mode = 0o755) {
    const homeDir = temporaryFolder();
    const configDir = join(homeDir, '.config', 'dataimport');
    mkdirSync(configDir, { recursive: true });
    const file = join(configDir, 'config.yaml');
    writeFileSync(file, 'apiKeyCommand: echo key\n');
    for (const path of [homeDir, dirname(configDir), configDir]) chownSync(path, owner, owner);
    chmodSync(homeDir, mode);
    chownSync(file, fileOwner, fileOwner);
    const shown = async (userId: number, env: FakeIoOptions['env'] = {}) => {
      const io = fakeIo({ homeDir, configDir, userId, env });
      return (await runCli(['config', '--json'], io)).stdout;
    };
    return { configDir, shown };
  }
  const OBEYED = 'key from apiKeyCommand';
  const REFUSED = 'config_untrusted';

  test.each<[string, number, number, number]>([
    ['root in a container, whose home gets a file of the user who started it', 0, ALICE, 0],
    ['a user whose home folder is of root, with a file of root', 0, 0, ALICE],
    ['a user whose home folder is of root, with an own file', 0, ALICE, ALICE],
    ['root in the home folder of another user, with an own file', ALICE, 0, 0],
    ['a user in the own home folder', ALICE, ALICE, ALICE],
  ])('is obeyed for %s', async (_, owner, fileOwner, user) => {
    expect(await home(owner, fileOwner).shown(user)).toContain(OBEYED);
  });

  test('is obeyed for root when its user typed sudo, and for nobody else', async () => {
    const { shown } = home(ALICE, ALICE);
    expect(await shown(0, { SUDO_UID: String(ALICE) })).toContain(OBEYED);
    expect(await shown(0, { SUDO_UID: String(STRANGER) })).toContain(REFUSED);
    expect(await shown(0)).toContain(REFUSED);
    expect(await shown(STRANGER, { SUDO_UID: String(ALICE) })).toContain(REFUSED);
  });

  test('is refused in a home folder that everybody may fill', async () => {
    expect(await home(0, STRANGER, 0o1777).shown(ALICE)).toContain(REFUSED);
    expect(await home(0, ALICE, 0o1777).shown(ALICE)).toContain(OBEYED);
  });

  test('is refused in the folder of XDG_CONFIG_HOME when it is of another user, as `su` keeps it', async () => {
    const { shown, configDir } = home(0, ALICE);
    const env = { XDG_CONFIG_HOME: dirname(configDir) };
    expect(await shown(0, env)).toContain(OBEYED);
    chownSync(dirname(configDir), ALICE, ALICE);
    expect(await shown(0, env)).toContain(REFUSED);
    expect(await shown(ALICE, env)).toContain(OBEYED);
  });

  test('is refused in the home folder of another user, although XDG_CONFIG_HOME is an own folder', async () => {
    // macOS has the file in the home folder, whatever the variable says.
    const own = { XDG_CONFIG_HOME: temporaryFolder() };
    expect(await home(ALICE, ALICE).shown(0, own)).toContain(REFUSED);
    expect(await home(0, ALICE).shown(0, own)).toContain(OBEYED);
  });
});

describe('an apiKeyCommand in the file of a project', () => {
  test.each([['at the top', 'supplier: ACME\napiKeyCommand: touch ran; echo key\n', 2]])(
    'is refused %s, with the place where it belongs, and does not run',
    async (_, content, line) => {
      const { cwd, file, configDir, world } = project(content);
      for (const named of [[], ['--config', file]]) {
        const ended = await runCli(['auth', ...named], fakeIo(world));
        expect(ended.exitCode).toBe(2);
        expect(ended.stderr).toContain(`the setting apiKeyCommand (${file}:${line}) is wrong`);
        expect(ended.stderr).toContain(
          `apiKeyCommand in your own file ${join(configDir, 'config.yaml')} or DATAIMPORT_API_KEY_COMMAND`,
        );
      }
      expect(existsSync(join(cwd, 'ran'))).toBe(false);
    },
  );

  test("runs from the user's own file", async () => {
    const { configDir, credentials } = project();
    mkdirSync(configDir, { recursive: true });
    writeFileSync(join(configDir, 'config.yaml'), 'apiKeyCommand: echo key\n');
    expect(await credentials()).toMatchObject({ exitCode: 0, said: 'key from apiKeyCommand' });
  });
});
