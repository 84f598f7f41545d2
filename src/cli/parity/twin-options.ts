import { resolve } from 'node:path';
import { wordsIn } from '../recording/disguise.ts';
import { wordsOfInterface } from '../recording/disguised-body.ts';
import { behaviourOf, type BehaviourFlags } from './behaviour-flags.ts';
import type { Settings } from '../settings/settings.ts';
import type { GivenOptions } from './twin.ts';

/** What a twin of a recording is started with. */
export function twinOptionsOf(
  options: BehaviourFlags & { readonly seed?: readonly string[]; readonly tokenTtl: number },
  {
    settings,
    cwd,
    read,
    version,
  }: { settings: Settings; cwd: string; read: (file: string) => string; version: string },
): GivenOptions {
  const contract = settings.get('contract');
  const { behaviour, ...limits } = behaviourOf(options);
  return {
    seeds: (options.seed ?? []).map((name) => ({ name, path: resolve(cwd, name), text: read(name) })),
    contract: contract === undefined ? undefined : resolve(cwd, contract),
    kept: new Set([...wordsOfInterface(), ...(contract === undefined ? [] : wordsIn(read(contract)))]),
    behaviour,
    limits,
    tokenTtlSeconds: options.tokenTtl,
    timeZone: settings.need('timeZone'),
    version,
  };
}
