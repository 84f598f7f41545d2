import { memberOf, membersOf, type Located, pointerOf } from '../../../core/operator/located.ts';
import { TOKEN_SCHEME } from '../../../core/contract/token.ts';
import type { OperatorContract } from '../../../core/operator/contract.ts';

import type { Reading } from './reading.ts';
import { resolve } from './references.ts';

const textsOf = (holder: Located, ...names: readonly string[]): string =>
  names
    .flatMap((name) => memberOf(holder, name)?.value ?? [])
    .filter((value) => typeof value === 'string')
    .join(' ');

const NOWHERE = { resource: null, type: null, field: '' };

/** How requests show that they are allowed. Undefined where the document does not say. */
export function authorizationIn(
  { document, findings }: Reading,
  operations: readonly Located[],
): OperatorContract['authorization'] {
  const { root } = document;
  const demands = [root, ...operations].flatMap((holder) => membersOf(memberOf(holder, 'security')));
  const names = new Set(demands.flatMap(membersOf).map(({ key }) => key));
  const schemes = membersOf(memberOf(memberOf(root, 'components') ?? root, 'securitySchemes')).filter(
    ({ key }) => names.size === 0 || names.has(key),
  );
  if (schemes.length === 0) return undefined;
  const name = [...new Set(schemes.map((each) => schemeOf(resolve(each, document))))].join(' or ');
  const from = pointerOf(schemes[0]!.path);
  if (/^\w+$/.test(name) && name.toLowerCase() !== TOKEN_SCHEME.toLowerCase()) {
    const says = `the word before a token is \`${name}\`, and \`${TOKEN_SCHEME}\` in requests: authScheme is a setting`;
    findings.add('contradicts', NOWHERE, says, from);
  }
  const keys = new Map(schemes.map((each) => [each.key, keyPlaceOf(resolve(each, document))]));
  const own = operations.map((operation) => memberOf(operation, 'security') ?? memberOf(root, 'security'));
  const refused = own.map((security) => {
    // One of the demands is enough, with all of its schemes. Where none is said, each scheme is one.
    const isUnsaid = !security && demands.length === 0;
    const choices = isUnsaid ? [...keys.keys()].map((each) => [each]) : membersOf(security).map(namesIn);
    const places = choices.map((choice) => choice.flatMap((each) => keys.get(each) ?? []));
    return places.length > 0 && places.every((each) => each.length > 0) ? places.flat() : [];
  });
  const places = [...new Set(refused.flat())];
  if (places.length > 0) {
    const says = `the key is sent as the ${places.join(' or the ')}, and a token as the header Authorization in requests`;
    findings.addRefusal('contradicts', NOWHERE, says, from);
  }
  return { name, from };
}

const namesIn = (holder: Located): readonly string[] => membersOf(holder).map(({ key }) => key);

/** Where a key is sent that is not in the header of requests for it. */
function keyPlaceOf(scheme: Located): string | undefined {
  const [place, name] = [textsOf(scheme, 'in'), textsOf(scheme, 'name')];
  const isOurs = place === 'header' && name.toLowerCase() === 'authorization';
  return textsOf(scheme, 'type') === 'apiKey' && !isOurs ? `${place} ${name}` : undefined;
}

/** The word before a token, where the document has it. */
function schemeOf(scheme: Located): string {
  const type = textsOf(scheme, 'type');
  if (type !== 'apiKey') return textsOf(scheme, 'scheme') || `${type} token`;
  const [, word] = /(?:prefix|Authorization:) *["'`]?(\w+)/i.exec(textsOf(scheme, 'description')) ?? [];
  return word ?? textsOf(scheme, 'in', 'name');
}
