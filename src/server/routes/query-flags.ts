import { failure, type Problem } from '../../core/problem.ts';
import { Refusal, validationFailure } from '../http/answer.ts';

/**
 * Reads boolean query parameters (interface.md 4.3): `true` or `false` in any case, once. Everything else is refused, also an
 * unknown name, because a misspelt `check_previously_added=false` would do the opposite of what was meant.
 * @throws Refusal 400 with the name of the parameter as `attr`
 */
export function readFlags<const Defaults extends Readonly<Record<string, boolean>>>(
  query: Readonly<Record<string, unknown>>,
  defaults: Defaults,
): { readonly [Name in keyof Defaults]: boolean } {
  const problems: Problem[] = [];
  const flags: Record<string, boolean> = { ...defaults };
  for (const [name, given] of Object.entries(query)) {
    const value = typeof given === 'string' ? given.toLowerCase() : '';
    if (!Object.hasOwn(defaults, name)) problems.push(failure('unexpected_field', [name]));
    else if (value === 'true' || value === 'false') flags[name] = value === 'true';
    else problems.push(failure('invalid', [name], { expected: 'true or false' }));
  }
  if (problems.length > 0) throw new Refusal(validationFailure(problems));
  return flags as { [Name in keyof Defaults]: boolean };
}
