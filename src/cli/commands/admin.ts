import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { plainJson } from '../../core/values/plain-json.ts';
import type { AnyCommand, CommandContext, CommandDeclaration } from '../command.ts';
import type { ExitName } from '../exit-codes.ts';
import { exitDocument } from '../render/json-output.ts';
import { isLoopback } from '../settings/base-url.ts';
import { notWritten } from '../text-file.ts';
import { ADMIN_ACTIONS, type AdminOptions } from './admin-actions.ts';
import { adminText } from './admin-text.ts';
import { ADMIN_TITLES, type AdminName } from './admin-titles.ts';

/** The declaration of one command of the table. */
export function adminCommand(name: AdminName): AnyCommand {
  const { example, declare } = ADMIN_ACTIONS[name];
  const isAboutAccount = name.startsWith('admin account ') && name !== 'admin account list';
  const declaration: CommandDeclaration<AdminOptions> = {
    name,
    group: 'Rehearse',
    summary: ADMIN_TITLES[name],
    examples: [example],
    settings: isAboutAccount ? ['baseUrl', 'supplier'] : ['baseUrl'],
    declare: (command) => void declare?.(command),
    run: (options, context) => run(name, options, context),
  };
  return declaration as AnyCommand;
}

async function run(name: AdminName, options: AdminOptions, context: CommandContext): Promise<ExitName> {
  const { io, globals } = context;
  const settings = await context.settings();
  const baseUrl = settings.need('baseUrl');
  if (!isLoopback(new URL(baseUrl).hostname)) throw new AppError('admin_not_local');
  // Before anything is asked: what was typed may be wrong by itself.
  if (name === 'admin state export' && options['file'] === '-') throw noStandardOutput();
  const world = { supplier: () => settings.need('supplier'), cwd: io.cwd };
  const call = await ADMIN_ACTIONS[name].call(options, world);

  const { openLocalAdmin } = await import('../client/local-admin.ts');
  const admin = await openLocalAdmin({ baseUrl, command: name, worldKey: () => keyOf(context) });
  const text = await admin(call);
  if (name === 'admin state export') writeState(String(options['file']), text, io.cwd);
  const answer = name === 'admin state export' ? { file: options['file'] } : contentOf(text);
  context.document({ version: 1, exit: exitDocument('OK'), ...answer });
  if (!globals.json) io.stdout.write(await adminText(name, answer, text));
  return 'OK';
}

/** Whose world it is, where each key has one. A token names none, so one that is set hides no key here. */
async function keyOf(context: CommandContext): Promise<string | undefined> {
  const { findKey } = await import('../settings/credentials.ts');
  return findKey(await context.settings(), context.io)?.apiKey();
}

/** The answer as one object: lines of it as a list of records. */
function contentOf(text: string): Readonly<Record<string, unknown>> {
  const document = plainJson(text);
  const isLines = document === undefined || Object.hasOwn(document as object, 'seq');
  if (!isLines) return document as Readonly<Record<string, unknown>>;
  return { records: text.split('\n').flatMap((line) => (line === '' ? [] : [plainJson(line)])) };
}

/** As of `--report-json` and `--rejects`: what is written is for keeping. */
function noStandardOutput(): AppError {
  const reason = 'the state goes to a file, not to standard output; GET /_local/state answers it as well';
  return new AppError('usage', { reason, command: 'admin state export' });
}

/** @throws AppError `state_file_exists`, `file_not_writable` */
function writeState(file: string, text: string, cwd: string): void {
  try {
    // What customers said is in it: for the owner only.
    writeFileSync(resolve(cwd, file), text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    throw notWritten(file, error, 'state_file_exists');
  }
}
