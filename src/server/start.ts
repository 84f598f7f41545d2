import { randomBytes } from 'node:crypto';
import { AppError } from '../core/app-error.ts';
import { dateInZone } from '../core/values/instant.ts';
import { buildApp } from './app.ts';
import { armedFaults, unusedRules } from './faults/armed.ts';
import { heldBy } from './faults/held.ts';
import { passageOf } from './faults/passage.ts';
import { planOf } from './faults/plan.ts';
import { readPlanFile } from './faults/plan-file.ts';
import type { FaultPlan } from './faults/rule.ts';
import { listen, urlOf } from './listen.ts';
import { platformOf } from './platform/platform.ts';
import { countsOf, type Counts } from './routes/health.ts';
import { routesOf } from './routes/routes.ts';
import { builtInSeed, readSeed } from './seed/read-seed.ts';
import { applySeed } from './seed/seed.ts';
import { SERVER_DEFAULTS, type FaultOptions, type ServerOptions } from './server-options.ts';
import type { ApiKey } from './store/api-keys.ts';
import { openStore } from './store/store.ts';
import { tokensOf } from './tokens.ts';

export type { FaultOptions };

export interface RunningServer {
  /** Base URL for clients, without a slash at its end. */
  readonly url: string;
  readonly port: number;
  /** Another one after each start. */
  readonly instance: string;
  /** All keys that tokens are given for; that of the option `apiKey` first. */
  readonly apiKeys: readonly ApiKey[];
  /** What the platform held at the start. */
  readonly counts: Counts;
  readonly faults: {
    /** The rules of the start, as texts. */
    readonly armed: readonly string[];
    /** The rules that are there now and have not been hit, as texts. */
    unused(): readonly string[];
  };
  /**
   * Takes no more requests, finishes those that are under way, makes the database file whole and closes it. May be
   * called again.
   */
  close(): Promise<void>;
}

/**
 * Starts the local platform: seeds, database, HTTP, in this order, so that a server that listens is ready.
 * @throws AppError `setting_invalid`, `file_not_readable`, `seed_invalid`, `fault_invalid`, `fault_plan_invalid`, `database_unusable`,
 * `port_taken`, `address_unavailable`
 */
export async function startServer(given: ServerOptions): Promise<RunningServer> {
  const options = { randomBytes, ...SERVER_DEFAULTS, ...given };
  refuseUnknownZone(options);
  const seedFiles = options.seeds.length > 0 ? readSeed(options.seeds) : undefined;
  const acceptFaults = (plan: FaultPlan) => refuseCrash(plan, options.crash);
  const faultPlan = acceptFaults(planOfOptions(options.faults));
  const store = openStore(options.database);
  try {
    const platform = platformOf({ store, nowMs: options.nowMs, timeZone: options.timeZone });
    const seed = seedFiles ?? (store.suppliers.count() === 0 ? builtInSeed() : undefined);
    const reseed = () => {
      if (seed) applySeed(seed, store, platform.now());
    };
    store.write(reseed);

    const identity = {
      instance: Buffer.from(options.randomBytes(4)).toString('hex'),
      version: options.version,
      database: options.database,
      started_at: platform.now(),
    };
    const tokens = tokensOf({
      secret: options.randomBytes(32),
      ttlSeconds: options.tokenTtlSeconds,
      nowMs: options.nowMs,
    });
    const ownKey = options.apiKey === undefined ? [] : [{ key: options.apiKey, suppliers: null }];
    const apiKeys = () => [...ownKey, ...store.apiKeys.all()];
    const limits = { maxItems: options.maxItems };
    const faults = armedFaults(faultPlan);
    const held = heldBy(options.sleep);
    const passage = passageOf({
      faults,
      held,
      write: store.write,
      crash: options.crash ?? (() => {}),
      expireTokens: () => tokens.expireAll(),
      nowMs: options.nowMs,
    });
    const routes = routesOf({ platform, limits, tokens, apiKeys, identity, reseed, faults, acceptFaults });
    const app = buildApp({ ...options, tokens, routes, passage, held });
    const port = await listen(app, options);

    let closed: Promise<void> | undefined;
    return {
      url: urlOf(options.host, port),
      port,
      instance: identity.instance,
      apiKeys: apiKeys(),
      counts: countsOf(store),
      faults: { armed: faultPlan.rules.map(({ text }) => text), unused: () => unusedRules(faults) },
      close: () => (closed ??= app.close().finally(() => store.close())),
    };
  } catch (error) {
    store.close();
    throw error;
  }
}

function planOfOptions({ file, rules = [], seed }: FaultOptions = {}): FaultPlan {
  const fromFile = file === undefined ? undefined : readPlanFile(file);
  return planOf({ seed: seed ?? fromFile?.seed, rules: [...(fromFile?.rules ?? []), ...rules] });
}

/** A server inside another program has no process of its own to end. */
function refuseCrash(plan: FaultPlan, crash: (() => void) | undefined): FaultPlan {
  const rule = plan.rules.find(({ effect }) => effect.kind === 'crash');
  if (rule === undefined || crash) return plan;
  throw new AppError('fault_invalid', {
    rule: `\`${rule.text}\``,
    reason: 'only `dataimport serve` can crash, a platform inside another program cannot',
  });
}

function refuseUnknownZone({ nowMs, timeZone }: Required<Pick<ServerOptions, 'nowMs' | 'timeZone'>>): void {
  try {
    dateInZone(nowMs(), timeZone);
  } catch (error) {
    const reason = `${timeZone} is not a time zone such as Europe/London`;
    throw new AppError(
      'setting_invalid',
      {
        setting: 'timeZone',
        source: 'the time zone of the platform',
        reason,
        accepted: 'a name of the IANA time zone database',
      },
      error,
    );
  }
}
