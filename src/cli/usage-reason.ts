/**
 * What is wrong with a command line, from the parser's own words: on one line, and without what was typed where
 * nothing belongs. Whoever tries to give a key that way is told where keys go, and the key is not repeated.
 */
export function usageReason(message: string): string {
  const reason = message.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' ');
  const tooMany = /^too many arguments.*? but got \d+/.exec(reason);
  if (tooMany) return tooMany[0];
  const unknown = /^unknown option '(--[^=']*|-.)[^']*'/.exec(reason);
  if (!unknown) return reason;
  const flag = unknown[1]!;
  const isSecret = /key|token|secret|password/i.test(flag);
  const hint = isSecret ? ': no flag takes a key or token; set DATAIMPORT_API_KEY or DATAIMPORT_TOKEN' : '';
  const rest = reason.slice(reason.lastIndexOf("'") + 1);
  return `unknown option '${flag}'${hint}${isSecret ? '' : rest}`;
}
