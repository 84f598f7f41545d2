import { resolve } from 'node:path';
import { Option } from 'commander';
import { AppError } from '../../core/app-error.ts';
import { SENDABLE_IN_WORDS, unsendableReason } from '../../core/sendable-secret.ts';
import type { FaultOptions, RunningServer } from '../../server/start.ts';
import type { CommandContext, CommandDeclaration } from '../command.ts';
import type { ExitName } from '../exit-codes.ts';
import { failureOf, failureText } from '../failure.ts';
import { collect, flagValue } from '../flag-value.ts';
import { jsonText } from '../render/json-output.ts';
import { counted, escapeControl } from '../render/text.ts';
import { count, wholeSeconds } from '../settings/reading.ts';
import { behaviourOf, decidedOtherwise, declareBehaviour, type BehaviourFlags } from './serve-behaviour.ts';

export interface ServeOptions extends BehaviourFlags {
  readonly host: string;
  readonly allowedHost?: readonly string[];
  /** 0 takes a free port. */
  readonly port: number;
  /** Database file, or `:memory:`. */
  readonly db: string;
  readonly seed?: readonly string[];
  readonly apiKey?: string;
  /** In seconds. */
  readonly tokenTtl: number;
  /** Rules, as docs/serve.md has them. */
  readonly fault?: readonly string[];
  readonly faultFile?: string;
  readonly faultSeed?: number;
  readonly failOnUnusedFaults: boolean;
  readonly exitWithParent: boolean;
  readonly isolate: boolean;
  readonly logBodies: boolean;
}

export const serve: CommandDeclaration<ServeOptions> = {
  name: 'serve',
  group: 'Rehearse',
  summary: 'Run the platform on this machine, to rehearse against',
  description:
    'Run the platform on this machine, to rehearse against. Its "today" is that of the setting timeZone (DATAIMPORT_TIME_ZONE or a configuration file), UTC by default.',
  examples: [
    'dataimport serve',
    'dataimport serve --port 0 --db :memory: --seed seed.yaml --json',
    "dataimport serve --fault 'transactions after-commit reset nth=3' --fault 'any accept status=503 p=0.05'",
  ],
  settings: [],
  declare(command) {
    command
      .option(
        '--port <n>',
        'port to listen on, 0 for a free one',
        flagValue(count({ min: 0, max: 65_535 })),
        4010,
      )
      .option('--host <address>', 'address to listen on', '127.0.0.1')
      .option(
        '--allowed-host <name>',
        'one more name under which clients reach it, such as that of its container; may be given several times',
        collect,
      )
      .option('--db <file>', 'database file, or :memory:', '.dataimport/serve.sqlite')
      .option('--seed <file>', 'what a new database holds; may be given several times', collect)
      .option(
        '--api-key <key>',
        'one more API key that the local platform takes, for all suppliers (DATAIMPORT_SERVE_API_KEY)',
        sendableKey,
      )
      .addOption(
        new Option('--token-ttl <duration>', 'life of a token')
          .argParser(flagValue(wholeSeconds))
          .default(3_600, '60m'),
      );
    command
      .option('--isolate', 'give each API key a world of its own; any key is taken then', false)
      .option('--log-bodies', 'keep bodies in the log of requests (docs/operating.md)', false);
    declareBehaviour(command)
      .option(
        '--fault <rule>',
        'go wrong as the rule says (docs/serve.md, "Faults"); may be given several times',
        collect,
      )
      .option('--fault-file <file>', 'a plan of such rules, in YAML or JSON')
      .option(
        '--fault-seed <n>',
        'where the chance of faults starts from, 0 by default',
        flagValue(count({ min: 0, max: Number.MAX_SAFE_INTEGER })),
      )
      .option('--fail-on-unused-faults', 'exit with 1 when a rule was never hit', false)
      .option('--exit-with-parent', 'stop when the program that started this one has ended', false);
  },
  run,
};

/** Not as other flags are refused, which quotes what was typed. @throws AppError `setting_invalid` */
function sendableKey(key: string): string {
  const reason = unsendableReason(key);
  if (reason === undefined) return key;
  const source = '--api-key or DATAIMPORT_SERVE_API_KEY';
  throw new AppError('setting_invalid', { setting: 'apiKey', source, reason, accepted: SENDABLE_IN_WORDS });
}

const MEMORY = ':memory:';

async function run(options: ServeOptions, context: CommandContext): Promise<ExitName> {
  const { io, globals } = context;
  // From here on a signal is a wish to stop cleanly, also while the server is still starting.
  const stopped = Promise.race([
    firstSignal(context),
    ...(options.exitWithParent ? [parentEnd(context)] : []),
  ]);
  const settings = await context.settings();

  const { startServer } = await import('../../server/start.ts');
  const server = await startServer({
    host: options.host,
    allowedHosts: (options.allowedHost ?? []).map((name) => name.toLowerCase()),
    port: options.port,
    database: options.db === MEMORY ? MEMORY : resolve(io.cwd, options.db),
    seeds: (options.seed ?? []).map((file) => resolve(io.cwd, file)),
    ...(options.apiKey === undefined ? {} : { apiKey: options.apiKey }),
    faults: faultsOf(options, io.cwd),
    crash: () => io.crash(),
    tokenTtlSeconds: options.tokenTtl,
    isolate: options.isolate,
    logBodies: options.logBodies,
    ...behaviourOf(options),
    timeZone: settings.need('timeZone'),
    nowMs: () => io.timing.nowMs(),
    version: io.version(),
    onUnexpectedError: (error) => io.stderr.write(failureText(failureOf(error))),
  });
  context.onClose(() => server.close());
  context.log.write('ready', { url: server.url, instance: server.instance });
  if (globals.json) io.stdout.write(`${jsonText(readyEvent(server, options))}\n`);
  else io.stdout.write(banner(server, options));

  await stopped;
  if (!globals.json && !globals.quiet) io.stderr.write('stopping\n');
  // First, because a request that is under way may still hit a rule.
  await server.close();
  return faultsEnding(server, options, context);
}

function faultsOf({ fault = [], faultFile, faultSeed }: ServeOptions, cwd: string): FaultOptions {
  return {
    rules: fault,
    ...(faultFile !== undefined && { file: resolve(cwd, faultFile) }),
    ...(faultSeed !== undefined && { seed: faultSeed }),
  };
}

/** A rule that was never hit has tested nothing; it is told. */
function faultsEnding(
  { faults }: RunningServer,
  { failOnUnusedFaults }: ServeOptions,
  { io, log }: CommandContext,
): ExitName {
  const unused = faults.unused();
  for (const rule of unused) {
    log.write('fault_unused', { rule });
    io.stderr.write(`${escapeControl(`fault never hit: ${rule}`)}\n`);
  }
  return failOnUnusedFaults && unused.length > 0 ? 'DIFFERENT' : 'OK';
}

/** Resolves with the first signal; a second one ends the process as if nobody listened. */
function firstSignal({ io, onClose }: CommandContext): Promise<void> {
  return new Promise((resolve) => {
    const release = io.onSignal(() => {
      release();
      resolve();
    });
    onClose(release);
  });
}

/** Resolves when the program that started this one is gone: a test run that was killed leaves no server behind. */
function parentEnd({ io, onClose }: CommandContext): Promise<void> {
  return new Promise((resolve) => onClose(io.onParentEnd(resolve)));
}

/** One line, for the program that started this one; a key that it gave is not repeated. */
function readyEvent({ url, instance, apiKeys, faults }: RunningServer, { apiKey }: ServeOptions) {
  const { armed } = faults;
  return {
    event: 'ready',
    url,
    instance,
    api_key: apiKey === undefined ? (apiKeys[0]?.key ?? null) : null,
    ...(armed.length > 0 && { faults: armed }),
  };
}

function banner({ url, apiKeys, counts, faults }: RunningServer, options: ServeOptions): string {
  const { db, apiKey, isolate } = options;
  const records = Object.values(counts.records).reduce((sum, ofKind) => sum + ofKind, 0);
  const lines = [
    `dataimport serve is ready at ${url}`,
    `It holds ${counted(counts.suppliers, 'supplier')}, ${counted(counts.accounts, 'account')} and ${counted(records, 'record')}.`,
    ...(isolate ? [ISOLATED] : []),
    ...behaviourLines(options),
    ...faultLines(faults.armed),
    '',
    'In another terminal:',
    `  export DATAIMPORT_BASE_URL=${url}`,
    ...(apiKey === undefined ? exportLines(apiKeys) : GIVEN_KEY),
    '',
    db === MEMORY
      ? `Everything received is in memory, and gone when this ends: ${url}/_local/ledger`
      : `Everything received is kept in ${db}: ${url}/_local/ledger`,
    'Stop with Ctrl-C.',
  ];
  return lines.map((line) => `${escapeControl(line)}\n`).join('');
}

const ISOLATED = 'Each API key, whichever it is, has a world of its own that begins so.';

function behaviourLines(options: ServeOptions): readonly string[] {
  const decided = decidedOtherwise(options);
  return decided.length === 0 ? [] : [`It decides otherwise than by default: ${decided.join(', ')}.`];
}

/** Nobody may take what follows for the platform as it is. */
function faultLines(armed: readonly string[]): readonly string[] {
  if (armed.length === 0) return [];
  return [`It fails on purpose, by ${counted(armed.length, 'rule')}:`, ...armed.map((rule) => `  ${rule}`)];
}

/** Whoever gave a key knows it, and a terminal is no place for it. */
const GIVEN_KEY = ['  DATAIMPORT_API_KEY is (the key given by --api-key)'];

/** The first key with the supplier it is for, and how many more there are. */
function exportLines(apiKeys: RunningServer['apiKeys']): readonly string[] {
  const [first, ...others] = apiKeys;
  if (!first) return ['  (no API key: give one with --api-key or a seed)'];
  const supplier = first.suppliers?.[0];
  return [
    `  export DATAIMPORT_API_KEY=${first.key}`,
    ...(supplier === undefined ? [] : [`  export DATAIMPORT_SUPPLIER=${supplier}`]),
    ...(others.length === 0 ? [] : [`  # ${counted(others.length, 'more key')}, see the seed`]),
  ];
}
