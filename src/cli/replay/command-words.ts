import { AppError } from '../../core/app-error.ts';

/**
 * The words of a command line as a shell splits them. Knows both kinds of quotes and the backslash, but no expansion.
 * @throws AppError `expectation_invalid`
 */
export function commandWords(command: string): readonly string[] {
  const words: string[] = [];
  let rest = command.trim();
  while (rest !== '') {
    const match = WORD.exec(rest);
    if (!match) throw stepInvalid(command, 'a quotation mark is not closed');
    words.push(match[0].replaceAll(PART, unquoted));
    rest = rest.slice(match[0].length).trimStart();
  }
  return words;
}

/** Why a step of an expectation is not run. */
export function stepInvalid(command: string, reason: string): AppError {
  return new AppError('expectation_invalid', {
    reason: `the step \`${command}\` cannot be run: ${reason}`,
  });
}

const PART = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)/gs;
const WORD = new RegExp(`^(?:${PART.source})+(?=\\s|$)`, 's');

function unquoted(_part: string, ...groups: readonly (string | undefined)[]): string {
  const [single, double, escaped, plain] = groups;
  return single ?? double?.replaceAll(/\\(["\\])/g, '$1') ?? escaped ?? plain ?? '';
}
