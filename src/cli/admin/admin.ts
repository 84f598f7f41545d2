import { Argument } from 'commander';
import { AppError } from '../../core/app-error.ts';
import { plainJson } from '../../core/values/plain-json.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { isLoopback } from '../settings/parsers.ts';
import { ADMIN_ACTIONS, type AdminAction, type AdminName, type AdminOptions } from './admin-actions.ts';
import type { Part } from '../output/result.ts';
import { sameCommand, withFlags } from '../ending/next-commands.ts';

export function adminCommand(name: AdminName): CommandDeclaration<AdminOptions> {
  const { example, takes, actions }: AdminAction = ADMIN_ACTIONS[name];
  return {
    examples: [`dataimport ${name} ${example}`.trimEnd()],
    settings: name === 'admin account' ? ['baseUrl', 'supplier'] : ['baseUrl'],
    declare(command) {
      for (const [syntax, says] of Object.entries(takes)) {
        if (syntax.startsWith('-')) command.option(syntax, says, syntax.includes('<') ? undefined : false);
        else if (!actions || !syntax.includes('action')) command.argument(syntax, says);
        else {
          const action = new Argument(syntax, `${says}: ${actions.join(', ')}`).choices(actions);
          command.addArgument(action.required ? action : action.default(actions[0]));
        }
      }
    },
    run: (options, context) => run(name, options, context),
  };
}

async function run(name: AdminName, options: AdminOptions, context: CommandContext): Promise<CommandEnd> {
  const settings = await context.settings();
  const baseUrl = settings.need('baseUrl');
  if (!isLoopback(new URL(baseUrl).hostname))
    throw new AppError('usage', {
      reason: `${baseUrl} is no local platform: it is not on this machine`,
      todo: 'Give the address that `dataimport serve` printed.',
    });
  // Before the request: a wrong command line is an error by itself.
  const call = ADMIN_ACTIONS[name].call(options, () => settings.need('supplier'));
  const { openLocalAdmin } = await import('../client/local-admin.ts');
  const admin = await openLocalAdmin(baseUrl, name);
  if (name === 'admin ledger' && options['totals'] !== true && !context.globals.json)
    return printLines(admin.lines(call.path), context.io);
  const body = await admin.call(call);
  const answer = contentOf(body.toString());
  // A list of accounts ends with the place where the next one begins.
  const { next: place, ...shown } = answer;
  const next = typeof place === 'string' ? sameCommand(withFlags(context.words, ['--after', place])) : null;
  return { exit: 'OK', result: { fields: answer, text: () => answerParts(shown), next } };
}

/** The answer as one object. An answer of several lines becomes a list of records. */
function contentOf(text: string): Readonly<Record<string, unknown>> {
  const document = plainJson(text);
  const isLines = document === undefined || Object.hasOwn(document as object, 'seq');
  if (!isLines) return document as Readonly<Record<string, unknown>>;
  return { records: text.split('\n').flatMap((line) => (line === '' ? [] : [plainJson(line)])) };
}

/** Lines that are written before the reader is asked whether it is still there. */
const LINES_AT_ONCE = 500;

/** Prints the records of an answer while they arrive, because all of them may be larger than the memory. */
async function printLines(
  lines: AsyncIterable<string>,
  { stdout }: CommandContext['io'],
): Promise<CommandEnd> {
  let count = 0;
  for await (const line of lines) {
    stdout.write(`${line}\n`);
    // Nobody reads on. The end of the command reports why.
    if (++count % LINES_AT_ONCE === 0 && (await stdout.settled())) break;
  }
  return { exit: 'OK' };
}

type Answer = Readonly<Record<string, unknown>>;

/** Columns of the lists whose records have more fields than fit a line. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  accounts: ['import_supplier', 'external_account_number', 'state', 'kind', 'type', 'count', 'amount'],
  records: ['at', 'method', 'path', 'duration_ms', 'status', 'faults', 'problems'],
};

/** An answer for people: its single values one a line, then its lists as columns. */
const answerParts = (answer: Answer): readonly Part[] => [
  ...Object.entries(answer).flatMap(([key, value]) =>
    isList(value) ? [] : [`${key}: ${cellOf(value) || 'none'}`],
  ),
  ...Object.entries(answer).flatMap(([key, value]) => (isList(value) ? listParts(key, value) : [])),
];

function listParts(title: string, list: readonly unknown[]): readonly Part[] {
  const rows = list.filter((row): row is Answer => typeof row === 'object' && row !== null);
  if (rows.length === 0) return [`${title}: none`];
  const named = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns = COLUMNS[title]?.filter((column) => named.includes(column)) ?? named;
  const cells = rows.map((row) =>
    columns.map((column) => (/^(faults|problems)$/.test(column) ? firstOf : cellOf)(row[column])),
  );
  return [`${title}:`, { table: [columns, ...cells] }];
}

/** The first item of a list about a request: a fault by its rule, a problem by its place, sentence and code. */
function firstOf(list: unknown): string {
  const [first, ...others] = (list ?? []) as readonly Record<'rule' | 'attr' | 'detail' | 'code', string>[];
  if (!first) return '';
  const { rule, attr, detail, code } = first;
  const text = rule ?? `${attr}${attr && ': '}${detail} (${code})`;
  return others.length > 0 ? `${text}, and ${others.length} more` : text;
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (isList(value)) return value.map(cellOf).join(', ');
  if (typeof value === 'string') return value;
  if (typeof value !== 'object') return JSON.stringify(value);
  return Object.entries(value)
    .map(([key, part]) => `${key} ${cellOf(part)}`)
    .join(', ');
}
