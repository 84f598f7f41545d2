import type { ToleratedForm } from '../core/rules/tolerated-forms.ts';
import { requireAllowance } from './auth/own-key.ts';
import { pendingOf } from './faults/pending.ts';
import { rulesOf as faultRulesOf } from './faults/fault-rule.ts';
import { listen, urlOf } from './http/listener.ts';
import type { LoggedRequest } from './http/logged-request.ts';
import { checkedOptions } from './options/checked-options.ts';
import { behaviourIn } from './options/behaviour.ts';
import { HTTP_LIMITS } from './options/http-limits.ts';
import { platformControls } from './options/platform-controls.ts';
import { SERVER_DEFAULTS, type FaultOptions, type LocalPlatform } from './options/server-options.ts';
import { buildApp } from './pipeline/dispatch.ts';
import type { Counts } from './store/store.ts';
import { openLocalServer, type LocalServer, type ServerOptions } from './local-server/local-server.ts';

export { seedJsonSchema } from './seed/seed-file.ts';
export type { FaultOptions, LoggedRequest };

export interface RunningServer extends LocalPlatform {
  /** How much was stored at the start. */
  readonly counts: Counts;
  /** Whether the vendors are those of the contract, with any instruction. */
  readonly takesAnyVendor: boolean;
  readonly traffic: LocalServer['traffic'];
  /** The requests in the log, oldest first; also after the end. */
  logged(): readonly LoggedRequest[];
  /** How many values came in each form that the interface does not show, since the start or the last reset. */
  tolerated(): Readonly<Record<ToleratedForm, number>>;
}

/**
 * Starts the local platform. No request is read before the database has its seed, so a listening server is ready.
 * @throws AppError `setting_invalid`, `file_not_readable`, `document_invalid`, `seed_invalid`,
 * `database_unusable`, `address_unavailable`
 */
export async function startServer(started: ServerOptions): Promise<RunningServer> {
  const { version, crash, sleep, http, ...others } = started;
  const given = checkedOptions(others);
  requireAllowance(given.host ?? SERVER_DEFAULTS.host, given.allowNetwork ?? false);
  const { seeds, contract } = given;
  // Files are YAML, and loading the YAML reader takes as long as the rest of a start.
  const seed = seeds.length > 0 ? (await import('./seed/read-seed.ts')).readSeed(seeds) : undefined;
  const served =
    contract === undefined
      ? undefined
      : (await import('./options/served-contract.ts')).readServedContract(contract);
  const ofSeed = (seed ?? []).flatMap((file) => file.behaviour ?? []);
  // A contract turns rules on, beside those that were asked for.
  const ofContract = (served?.rules ?? []).map((rule) => `rule=${rule}`);
  const { rules = [], seed: ofChance = 0 } = given.faults ?? {};
  const plan = { seed: ofChance, rules: faultRulesOf(rules, crash !== undefined) };
  const options = {
    ...SERVER_DEFAULTS,
    ...given,
    behaviour: behaviourIn([...ofSeed, ...(given.behaviour ?? []), ...ofContract]),
    http: { ...HTTP_LIMITS, ...http },
    version,
    ...(crash && { crash }),
    served,
    seed,
    plan,
    pending: pendingOf(sleep),
  };
  const server = openLocalServer(options);
  const app = buildApp(server);
  try {
    const port = await listen(app.http, options);
    // The program that has the port may be a server with the same database, so a start that fails there changes nothing.
    server.begin();
    let closed: Promise<void> | undefined;
    const close = (): Promise<void> => (closed ??= app.close().finally(server.close));
    const url = urlOf(options.host, port);
    return {
      ...platformControls(url),
      url,
      port,
      instance: server.identity.instance,
      apiKeys: server.apiKeys(),
      counts: server.platform.store.counts(),
      takesAnyVendor: server.platform.takesAnyVendor(),
      traffic: server.traffic,
      logged: () => server.requests.list({}),
      tolerated: server.requests.tolerated,
      faults: { armed: plan.rules.map(({ text }) => text), unused: server.faults.neverHit },
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await app.close();
    server.close();
    throw error;
  }
}
