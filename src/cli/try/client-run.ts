import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { total } from '../../core/values/counts.ts';
import type { LoggedRequest } from '../../server/start.ts';
import { makePrivateFolder } from '../../files/private-folder.ts';
import { temporaryFolder } from '../outside/temporary-folder.ts';
import { startProgram } from '../outside/child-process.ts';
import type { Io } from '../outside/io.ts';
import { startOwnPlatform, type OwnPlatform } from '../replay/local-platform.ts';
import { LATE_MS, rulesOf, type Fault } from './fault-kinds.ts';

export type LedgerRecord = Awaited<ReturnType<OwnPlatform['ledger']>>[number];

/** How the command of the client is run. */
export interface ClientSetup {
  readonly command: readonly [string, ...string[]];
  readonly seeds: readonly string[];
  readonly contract: string | undefined;
  readonly io: Pick<Io, 'env' | 'cwd' | 'timing' | 'version'>;
  /** Aborts when no run is to go on. */
  readonly stopping: AbortSignal;
}

/** When a run is ended from outside. */
export interface Limits {
  readonly runMs: number;
  readonly requests: number;
}

/** One run of the client against a platform of its own. */
export interface ClientRun {
  /** Undefined for an undisturbed run. */
  readonly fault: Fault | undefined;
  /** Null when the client did not end by itself. */
  readonly exitCode: number | null;
  /** `time`, `requests`: a limit was reached. `stopped`: the trial has ended. */
  readonly ended: 'itself' | 'time' | 'requests' | 'stopped';
  readonly durationMs: number;
  readonly requests: readonly LoggedRequest[];
  /** How many requests had arrived when the client that a fault has killed was started again. Infinity: it was not. */
  readonly restartedAfter: number;
  readonly records: readonly LedgerRecord[];
  readonly output: string;
}

/** How long the platform is down when it restarts, and how often a run is looked at, in milliseconds. */
const DOWN_MS = 300;
const LOOK_MS = 100;

/** Runs the client with a fault; a client that the fault has killed is run once more. @throws AppError those of `startServer` */
export async function runClient(
  fault: Fault | undefined,
  limits: Limits,
  setup: ClientSetup,
): Promise<ClientRun> {
  const folder = temporaryFolder('dataimport-try-');
  try {
    const platform = await openPlatform(fault, folder, setup);
    try {
      const run = await playOn(platform, limits, setup);
      if (fault?.kind.name === 'late') await setup.io.timing.sleep(LATE_MS, setup.stopping);
      const records = await platform.ledger();
      // It may log the last requests a moment later.
      await platform.close();
      return { ...run, fault, records, requests: platform.logged() };
    } finally {
      await platform.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Platform = Awaited<ReturnType<typeof openPlatform>>;

async function playOn(platform: Platform, limits: Limits, setup: ClientSetup) {
  const { timing } = setup.io;
  let kill = (): void => undefined;
  platform.onKill(() => kill());
  const startedMs = timing.monotonicMs();
  let ended: ClientRun['ended'] = 'itself';
  const look = setInterval(() => {
    if (setup.stopping.aborted) ended = 'stopped';
    else if (timing.monotonicMs() - startedMs > limits.runMs) ended = 'time';
    else if (platform.requests() > limits.requests) ended = 'requests';
    if (ended !== 'itself') kill();
  }, LOOK_MS);
  const play = async () => {
    const client = startClient(platform, setup);
    kill = client.kill;
    return { exitCode: await client.ended, output: client.output() };
  };
  try {
    let end = await play();
    let restartedAfter = Infinity;
    if (platform.hasKilled() && ended === 'itself') {
      restartedAfter = platform.requests();
      end = await play();
    }
    const exitCode = ended === 'itself' ? end.exitCode : null;
    return { ...end, exitCode, ended, durationMs: timing.monotonicMs() - startedMs, restartedAfter };
  } finally {
    clearInterval(look);
    kill();
  }
}

/** Starts the client, with the address and the key of the platform, and a folder that no other run uses. */
function startClient({ url, apiKey, folder }: Platform, { command, io }: ClientSetup) {
  const env = {
    // No secret of a real platform reaches the client.
    ...Object.fromEntries(Object.entries(io.env).filter(([name]) => !SECRET.test(name))),
    DATAIMPORT_BASE_URL: url,
    DATAIMPORT_API_KEY: apiKey,
    DATAIMPORT_RUN_DIR: join(folder, 'runs'),
  };
  makePrivateFolder(env.DATAIMPORT_RUN_DIR);
  return startProgram(command, { cwd: io.cwd, env });
}

/** Variables with a secret of the user, or that name one. */
const SECRET = /^DATAIMPORT_(?:TOKEN$|API_KEY|SERVE_API_KEY)/;

/** A platform with a fault. It restarts by itself where the fault says so. */
async function openPlatform(fault: Fault | undefined, folder: string, { seeds, contract, io }: ClientSetup) {
  const ends = fault?.kind.ends;
  const lives: OwnPlatform[] = [];
  let restarting: Promise<void> | undefined;
  let killed = false;
  let killClient = (): void => undefined;
  const start = async (port: number, rules: readonly string[]): Promise<OwnPlatform> => {
    const server = await startOwnPlatform({
      port,
      ...(ends === 'platform' && { database: join(folder, 'platform.sqlite') }),
      seeds,
      ...(contract !== undefined && { contract }),
      faults: { rules },
      nowMs: () => io.timing.nowMs(),
      version: io.version(),
      crash,
    });
    lives.push(server);
    return server;
  };
  const { url, port, apiKey } = await start(0, rulesOf(fault));
  async function restart(): Promise<void> {
    await lives.at(-1)!.close();
    await io.timing.sleep(DOWN_MS);
    // A restart begins to count again, and the fault has been struck already.
    await start(port, []);
  }
  function crash(): void {
    if (ends === 'platform') restarting ??= restart();
    else if (!killed) {
      killed = true;
      killClient();
    }
  }
  return {
    url,
    apiKey,
    folder,
    onKill: (kill: () => void) => void (killClient = kill),
    hasKilled: () => killed,
    requests: () => total(lives, (server) => server.traffic().requests),
    ledger: async () => {
      await restarting;
      return lives.at(-1)!.ledger();
    },
    /** All requests. A restart begins to count again. */
    logged: (): readonly LoggedRequest[] =>
      lives.flatMap((server) => server.logged()).map((request, index) => ({ ...request, seq: index + 1 })),
    async close(): Promise<void> {
      await restarting;
      await lives.at(-1)!.close();
    },
  };
}
