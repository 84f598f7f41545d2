import { AUTHORITIES } from '../src/core/error-codes/entry.ts';
import { parity } from '../src/server/parity/parity.ts';
import { AUTHORITY_TEXT } from './reference-pages.ts';
import { page, table } from './page.ts';

// docs/parity.md is made from src/server/parity/rules.json. scripts/write-codes.ts writes it, and
// test/server/parity/parity.test.ts compares it and the list with the code.

/** docs/parity.md */
export function parityPage(): string {
  const { counts, rules } = parity();
  const sections = AUTHORITIES.flatMap((authority) => [
    '',
    `## ${capitalised(authority)}`,
    '',
    `${capitalised(AUTHORITY_TEXT[authority])}.`,
    '',
    ...rules
      .filter((rule) => rule.authority === authority)
      .map(({ name, source, says, codes = [] }) => {
        const named = codes.filter((code) => !says.includes(code)).map((code) => `\`${code}\``);
        const place = /^interface\.md (.+?)(?=;| \(|$)/.exec(source)?.[1];
        return `- \`${name}\`${place === undefined ? '' : ` (${place})`}: ${says}${named.length === 0 ? '' : ` (${named.join(', ')})`}`;
      }),
  ]);
  return page('Parity', [
    'Every rule of the local platform. So you can see how far it answers like the real one, which may differ in everything that',
    'is not documented: ask its operator about the rules that your migration needs. `GET /_local/parity` answers the same list with',
    'the whole source of each rule and the test that shows it. Behind a name is the section of interface.md, and behind the rule',
    'are its error codes.',
    '',
    ...table(
      ['authority', 'rules'],
      [...AUTHORITIES.map((authority) => [authority, `${counts[authority]}`]), ['all', `${counts.all}`]],
    ),
    '',
    'A rule is `documented` if `interface.md` says it, and `observed` if `deployments.md` does: a person has read each such row against',
    'the section that it cites. All others are `chosen`.',
    '',
    '## Conflicts',
    '',
    'Here `interface.md` and `deployments.md` contradict each other.',
    '',
    ...rules.flatMap(({ name, conflict }) => (conflict === undefined ? [] : [`- \`${name}\`: ${conflict}`])),
    ...sections,
  ]);
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
