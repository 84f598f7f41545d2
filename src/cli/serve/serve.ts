import { resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { shellWord } from '../../core/command-line.ts';
import { total } from '../../core/values/counts.ts';
import { SENDABLE_IN_WORDS, unsendableReason } from '../../core/sendable-secret.ts';
import type { RunningServer } from '../../server/start.ts';
import type { OnClose } from '../command/command-ports.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { collect, flagValue } from '../command/flags.ts';
import type { Io } from '../outside/io.ts';
import { showFailure } from '../output/output.ts';
import { jsonText } from '../output/json.ts';
import type { Part } from '../output/result.ts';
import { counted } from '../output/text/text.ts';
import { count } from '../settings/parsers.ts';
import { declareBehaviour, typedBehaviour, type BehaviourFlags } from '../parity/behaviour-flags.ts';

export interface ServeOptions extends BehaviourFlags {
  readonly host: string;
  readonly allowNetwork: boolean;
  /** 0 takes a free port. */
  readonly port: number;
  /** Database file, or `:memory:`. */
  readonly db: string;
  readonly seed?: readonly string[];
  readonly apiKey?: string;
  /** Rules as docs/serve-reference.md describes them. */
  readonly fault?: readonly string[];
  readonly exitWithParent: boolean;
}

export const command: CommandDeclaration<ServeOptions> = {
  description:
    'Runs a local platform to rehearse against. Its "today" is the date in the time zone of the setting timeZone (DATAIMPORT_TIME_ZONE or a configuration file), UTC by default.',
  examples: [
    'dataimport serve --port 0 --db :memory: --seed seed.yaml --json',
    "dataimport serve --fault 'transactions after-commit reset nth=3' --fault 'any accept status=503 p=0.05'",
  ],
  settings: ['contract'],
  declare(command) {
    command
      .option(
        '--port <n>',
        'port to listen on, 0 for a free one',
        flagValue(count({ min: 0, max: 65_535 })),
        4010,
      )
      .option('--host <address>', 'address to listen on', '127.0.0.1')
      .option('--allow-network', 'let other machines reach the server at --host; it has no TLS', false)
      .option('--db <file>', 'database file, or :memory:', '.dataimport/serve.sqlite')
      .option(
        '--seed <file>',
        'what the database has at the start, also again after a restart; may be given several times',
        collect,
      )
      .option(
        '--api-key <key>',
        'one more API key of the local platform, for all suppliers (DATAIMPORT_SERVE_API_KEY)',
        sendableKey,
      )
      .option('--exit-with-parent', 'stop when the other end of a piped standard input is closed', false);
    declareBehaviour(command)
      .optionsGroup('Failures on purpose:')
      .option(
        '--fault <rule>',
        'fail on purpose as the rule says (docs/serve-reference.md, "Faults"); may be given several times',
        collect,
      );
  },
  run,
};

/** Commander's own refusal would quote the key. @throws AppError `setting_invalid` */
function sendableKey(key: string): string {
  const reason = unsendableReason(key);
  if (reason === undefined) return key;
  const source = '--api-key or DATAIMPORT_SERVE_API_KEY';
  throw new AppError('setting_invalid', { setting: 'apiKey', source, reason, accepted: SENDABLE_IN_WORDS });
}

const MEMORY = ':memory:';

async function run(options: ServeOptions, context: CommandContext): Promise<CommandEnd> {
  const { io, output, log, onClose } = context;
  const settings = await context.settings();
  // From here on a signal stops the server in order, even while it is still starting.
  const stopped = Promise.race([
    firstSignal(io, onClose),
    // A killed test run leaves no server behind.
    ...(options.exitWithParent ? [new Promise<void>((ended) => onClose(io.onParentEnd(ended)))] : []),
  ]);
  const contract = settings.get('contract');
  const { startServer } = await import('../../server/start.ts');
  const server = await startServer({
    host: options.host,
    allowNetwork: options.allowNetwork,
    port: options.port,
    database: options.db === MEMORY ? MEMORY : resolve(io.cwd, options.db),
    seeds: (options.seed ?? []).map((file) => resolve(io.cwd, file)),
    ...(contract !== undefined && { contract: resolve(io.cwd, contract) }),
    ...(options.apiKey !== undefined && { apiKey: options.apiKey }),
    faults: { rules: options.fault ?? [] },
    crash: () => io.crash(),
    behaviour: options.behaviour ?? [],
    timeZone: settings.need('timeZone'),
    nowMs: () => io.timing.nowMs(),
    version: io.version(),
    onUnexpectedError: (error) => void showFailure(error, io),
  });
  onClose(() => server.close());
  log.write('ready', { url: server.url, instance: server.instance });
  const line = readyLine(server, options.apiKey !== undefined);
  output.emit({ kind: 'shown', parts: readyParts(server, options), line });

  await stopped;
  output.emit({ kind: 'notice', text: 'stopping', when: 'talking' });
  // Close first, because a request in flight may still hit a rule.
  await server.close();
  for (const rule of server.faults.unused()) {
    log.write('fault_unused', { rule });
    output.emit({ kind: 'notice', text: `fault never hit: ${rule}` });
  }
  return { exit: 'OK' };
}

/** Resolves with the first signal. A second one that is not SIGHUP, which a closed terminal repeats, ends the process as if nobody listened. */
function firstSignal(io: Io, onClose: OnClose): Promise<void> {
  return new Promise((ended) => {
    const release = io.onSignal((signal) => {
      if (signal !== 'SIGHUP') release();
      ended();
    });
    onClose(release);
  });
}

/** One line, for the program that started this one. A given key is not repeated, because a terminal is no place for it. */
function readyLine({ url, instance, apiKeys, faults: { armed } }: RunningServer, isGiven: boolean): string {
  const key = isGiven ? null : (apiKeys[0]?.key ?? null);
  return `${jsonText({ event: 'ready', url, instance, api_key: key, ...(armed.length > 0 && { faults: armed }) })}\n`;
}

function readyParts(
  { url, apiKeys, counts, faults: { armed }, takesAnyVendor }: RunningServer,
  { apiKey, db, behaviour }: ServeOptions,
): readonly Part[] {
  const [first] = apiKeys;
  const supplier = first?.suppliers?.[0];
  const chosen = typedBehaviour(behaviour).join(' ');
  const records = total(Object.values(counts.records), (count) => count);
  return [
    `dataimport serve is ready at ${url}`,
    `It has ${counted(counts.suppliers, 'supplier')}, ${counted(counts.accounts, 'account')} and ${counted(records, 'record')}.`,
    'Open the address in a browser to watch the requests, and to see why one was refused.',
    ...(chosen === '' ? [] : [`Behaviour: ${chosen}`]),
    ...(takesAnyVendor ? ['It takes payment instructions of every vendor, with any reference.'] : []),
    // Without this line a user would blame the platform for the faults.
    ...(armed.length === 0 ? [] : [`It fails on purpose, by ${counted(armed.length, 'rule')}:`]),
    ...armed.map((rule) => `  ${rule}`),
    '',
    'In another terminal:',
    `  export DATAIMPORT_BASE_URL=${url}`,
    apiKey !== undefined
      ? '  DATAIMPORT_API_KEY is (the key given by --api-key)'
      : first
        ? `  export DATAIMPORT_API_KEY=${shellWord(first.key)}`
        : '  (no API key: give one with --api-key or a seed)',
    ...(apiKey === undefined && supplier !== undefined
      ? [`  export DATAIMPORT_SUPPLIER=${shellWord(supplier)}`]
      : []),
    '',
    db === MEMORY
      ? `Everything received is in memory, and gone when this ends: ${url}/_local/ledger`
      : `Everything received is kept in ${db}: ${url}/_local/ledger`,
    'Stop with Ctrl-C.',
  ];
}
