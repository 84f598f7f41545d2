import { InvalidArgumentError, type Command, type Option } from 'commander';
import { AppError } from '../../core/app-error.ts';
import type { Io } from '../outside/io.ts';
import { SETTING_NAMES, variableOf } from '../settings/schema.ts';

// The variable of a setting never sets a flag: `status --timeout` limits the wait, DATAIMPORT_TIMEOUT each request.
const SETTING_VARIABLES: ReadonlySet<string> = new Set(SETTING_NAMES.map(variableOf));

// Credentials of the platform. `serve --api-key` is the key of the local platform and has a variable of its own.
const CREDENTIAL_VARIABLES: ReadonlySet<string> = new Set(['DATAIMPORT_API_KEY', 'DATAIMPORT_TOKEN']);

/** The variable of a flag: `--no-progress` → `DATAIMPORT_NO_PROGRESS`, `serve --api-key` → `DATAIMPORT_SERVE_API_KEY`. */
function variableOfFlag(command: Command, longFlag: string): string {
  const name = longFlag.replace(/^--/, '').replaceAll('-', '_').toUpperCase();
  const variable = `DATAIMPORT_${name}`;
  return CREDENTIAL_VARIABLES.has(variable) ? `DATAIMPORT_${command.name().toUpperCase()}_${name}` : variable;
}

/**
 * Gives the flags that were not typed their values from the environment, one variable for each flag. `settings/` reads
 * the variables of settings, because it remembers where a value came from.
 * @throws AppError `usage` when the value of a variable is wrong
 */
export function applyEnvironment(command: Command, env: Io['env']): void {
  for (const option of command.options) {
    const variable = option.long ? variableOfFlag(command, option.long) : '';
    const text = SETTING_VARIABLES.has(variable) ? undefined : env[variable];
    const attribute = option.attributeName();
    const typed = command.getOptionValueSource(attribute);
    if (text === undefined || typed === 'cli' || attribute === 'version') continue;
    command.setOptionValueWithSource(attribute, valueOf(option, text, variable), 'env');
  }
}

function valueOf(option: Option, text: string, variable: string): unknown {
  if (option.isBoolean() || option.negate) return booleanOf(text, variable) !== option.negate;
  try {
    return option.parseArg ? option.parseArg(text, undefined) : text;
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw new AppError('usage', { reason: `${variable}: ${error.message}`, command: '' }, error);
  }
}

function booleanOf(text: string, variable: string): boolean {
  if (['1', 'true', 'yes', 'on'].includes(text.toLowerCase())) return true;
  if (['0', 'false', 'no', 'off', ''].includes(text.toLowerCase())) return false;
  throw new AppError('usage', { reason: `${variable} must be true or false`, command: '' });
}
