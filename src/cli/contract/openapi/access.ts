import { TOKEN_SCHEME } from '../../../core/contract/token.ts';
import { childOf, memberOf, membersOf, pointerOf, type Located } from '../../../core/operator/located.ts';
import type { Reading } from './reading.ts';
import { resolve } from './references.ts';

const NOWHERE = { resource: null, types: [], field: '' };

/** How requests show that they are allowed: the words before a token, or the places of keys. */
export function authorizationIn({ document, findings }: Reading, operations: readonly Located[]): string[] {
  const { root } = document;
  const demandsOf = (holder: Located) => membersOf(memberOf(holder, 'security'));
  const names = [root, ...operations]
    .flatMap(demandsOf)
    .flatMap(membersOf)
    .map(({ key }) => key);
  const all = membersOf(memberOf(memberOf(root, 'components') ?? root, 'securitySchemes'));
  const schemes = names.length === 0 ? all : all.filter(({ key }) => names.includes(key));
  const [first] = schemes;
  if (!first) return [];
  const access = new Map(schemes.map((each) => [each.key, accessBy(resolve(each, document).value)]));
  const from = pointerOf(first.path);
  const words = [...new Set([...access.values()].map(({ name }) => name))];
  for (const word of words) {
    const says = `requests may show \`${word}\`: authScheme is a setting`;
    findings.add('needs', { ...NOWHERE, field: 'authorization' }, says, from);
  }
  const [name = '', ...others] = words;
  if (others.length === 0 && /^\w+$/.test(name) && name.toLowerCase() !== TOKEN_SCHEME.toLowerCase()) {
    const says = `the word before a token is \`${name}\`, and \`${TOKEN_SCHEME}\` in requests: authScheme is a setting`;
    findings.add('contradicts', NOWHERE, says, from);
  }
  // One of the demands is enough, with all of its schemes. Where none is said, each scheme is one.
  const refused = operations.flatMap((operation) => {
    const own = demandsOf(memberOf(operation, 'security') ? operation : root);
    const unsaid = names.length === 0 ? [...access.keys()].map((key) => [key]) : [];
    const choices = own.length > 0 ? own.map((each) => membersOf(each).map(({ key }) => key)) : unsaid;
    const places = choices.map((keys) => keys.flatMap((key) => access.get(key)?.elsewhere ?? []));
    return places.every((each) => each.length > 0) ? places.flat() : [];
  });
  if (refused.length > 0) {
    const says = `the key is sent as the ${[...new Set(refused)].join(' or the ')}, and a token as the header Authorization in requests`;
    findings.addRefusal('contradicts', NOWHERE, says, from);
  }
  return words;
}

/** The word before a token where a scheme has it, and where a key is sent that is not in the header of requests. */
function accessBy(scheme: unknown): { readonly name: string; readonly elsewhere?: string } {
  const texts = ['type', 'scheme', 'in', 'name', 'description'].map((name) => childOf(scheme, name));
  const [type, word, place, key, description] = texts.map((text) => (typeof text === 'string' ? text : ''));
  if (type !== 'apiKey') return { name: word || `${type} token` };
  const [, said] = /(?:prefix|Authorization:) *["'`]?(\w+)/i.exec(description!) ?? [];
  const isOurs = place === 'header' && key!.toLowerCase() === 'authorization';
  return { name: said ?? `${place} ${key}`, ...(!isOurs && { elsewhere: `${place} ${key}` }) };
}
