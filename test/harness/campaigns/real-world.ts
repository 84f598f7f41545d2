import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataimport, dataimportWith, serve, type Ended, type Platform } from '../../support/built-cli.ts';
import { actualLedger, type CanonicalLedger } from '../oracle/oracle.ts';
import { recordingProxy, type Phase, type RecordingProxy } from '../recording-proxy.ts';
import type { SeenRequest } from '../request-log.ts';
import { INSTANTS, MOST_NUMBERS } from './life-files.ts';
import type { Disturbance, KillPhase, LifeEnded, LifeWorld } from './life-world.ts';

const API_KEY = 'local-key';

/** The phase of a request at which the client is killed. */
const PHASE_OF: Readonly<Record<KillPhase, Phase>> = {
  arrived: 'arrived',
  applied: 'answered',
  answered: 'relayed',
};

/** How long a process that dies at any time lives for each look at the clock that it would have, in milliseconds. */
const LOOK_MS = 20;

/** Between two signals, in milliseconds. */
const SIGNALS_MS = 10;

/** A world of processes: the built command, `serve` and sockets. */
export class RealWorld implements LifeWorld {
  readonly cwd: string;
  readonly runs: string;
  readonly hasOperator = false;
  private readonly proxy: RecordingProxy;
  private platform: Platform;
  private restart: Promise<void> = Promise.resolve();

  private constructor(cwd: string, proxy: RecordingProxy, platform: Platform) {
    this.cwd = cwd;
    this.runs = join(cwd, 'runs');
    this.proxy = proxy;
    this.platform = platform;
    proxy.upstreamPort = platform.port;
  }

  static async open(cwd: string, accounts: readonly string[]): Promise<RealWorld> {
    writeFileSync(join(cwd, 'seed.yaml'), seedText(accounts));
    const platform = await started(cwd, 0, ['--seed', join(cwd, 'seed.yaml')]);
    return new RealWorld(cwd, await recordingProxy(), platform);
  }

  get seen(): readonly SeenRequest[] {
    return this.proxy.seen;
  }

  async command(words: readonly string[], disturbance?: Disturbance): Promise<LifeEnded> {
    const { proxy } = this;
    await this.fault(disturbance);
    const ended = await dataimportWith(words, this.world(), async (child) => {
      proxy.onPhase = (phase, number) => {
        if (disturbance === undefined || !('at' in disturbance) || number !== disturbance.at) return;
        this.disturb(disturbance, phase, (signal) => child.kill(signal));
      };
      if (disturbance?.kind === 'kill at any time')
        setTimeout(() => child.kill('SIGKILL'), 200 + LOOK_MS * disturbance.after);
    });
    proxy.onPhase = () => undefined;
    proxy.life++;
    await this.restart;
    await this.fault(undefined);
    return lifeEnded(ended, disturbance?.kind === 'signals' && disturbance.twice);
  }

  async twice(words: readonly string[]): Promise<readonly LifeEnded[]> {
    const ended = await Promise.all([dataimport(words, this.world()), dataimport(words, this.world())]);
    this.proxy.life++;
    return ended.map((each) => lifeEnded(each));
  }

  async ledger(): Promise<CanonicalLedger> {
    const answer = await fetch(`${this.platform.url}/_local/ledger`);
    return actualLedger(await answer.text(), INSTANTS);
  }

  async setImported(account: string, isImported: boolean): Promise<void> {
    await this.put(`/_local/accounts/ACME/${account}`, { state: isImported ? 'imported' : 'staged' });
  }

  refuse(): void {
    // The platform has no rule that refuses a single record.
  }

  async close(): Promise<void> {
    await this.restart;
    await this.platform.crash();
    await this.proxy.close();
  }

  private disturb(
    disturbance: Disturbance,
    phase: Phase,
    kill: (signal: 'SIGKILL' | 'SIGINT') => void,
  ): void {
    if (disturbance.kind === 'kill' && phase === PHASE_OF[disturbance.phase]) kill('SIGKILL');
    if (disturbance.kind === 'signals' && phase === 'forwarded') {
      kill('SIGINT');
      if (disturbance.twice) setTimeout(kill, SIGNALS_MS, 'SIGINT');
    }
    if (disturbance.kind === 'server killed' && phase === (disturbance.applied ? 'answered' : 'forwarded'))
      this.restart = (async () => {
        const { port } = this.platform;
        await this.platform.crash();
        this.platform = await started(this.cwd, port);
      })();
  }

  /** Sets the rule of a disturbance that is one of the platform. */
  private async fault(disturbance: Disturbance | undefined): Promise<void> {
    const rules =
      disturbance?.kind === 'throttled'
        ? [`records accept status=429 retry-after=1 nth=${disturbance.at}`]
        : disturbance?.kind === 'paused'
          ? ['records accept status=503 retry-after=3000 p=1']
          : [];
    await this.put('/_local/faults', { rules });
  }

  private async put(path: string, body: object): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(this.platform.url + path, {
      method: 'PUT',
      headers,
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(await answer.text());
  }

  private world() {
    const env = {
      DATAIMPORT_BASE_URL: this.proxy.url,
      DATAIMPORT_API_KEY: API_KEY,
      DATAIMPORT_RUN_DIR: this.runs,
    };
    return { cwd: this.cwd, env };
  }
}

/** A second start has no seed: it would take accounts that are imported back to `staged`, as no platform does. */
function started(cwd: string, port: number, seed: readonly string[] = []): Promise<Platform> {
  return serve(['--port', String(port), '--db', join(cwd, 'platform.sqlite'), ...seed], { cwd });
}

function lifeEnded({ exitCode, signal, stdout, stderr }: Ended, missesAnswers = false): LifeEnded {
  const isKilled = signal === 'SIGKILL';
  return { exitCode: isKilled ? undefined : exitCode, stdout, stderr, missesAnswers };
}

function seedText(accounts: readonly string[]): string {
  const instructions = Array.from(
    { length: MOST_NUMBERS },
    (_, number) => `{reference: pi_${number}, type: CARD}`,
  );
  return [
    'version: 1',
    `api_keys: [{key: ${API_KEY}, suppliers: [ACME]}]`,
    'suppliers: [{code: ACME, name: Acme, status: Ongoing}]',
    `vendors: [{code: STRIPE, instructions: [${instructions.join(', ')}]}]`,
    'accounts:',
    ...accounts.map(
      (account) => `  - {import_supplier: ACME, external_account_number: "${account}", state: imported}`,
    ),
    '',
  ].join('\n');
}
