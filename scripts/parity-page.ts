import { AUTHORITIES } from '../src/core/error-codes/entry.ts';
import { parity } from '../src/server/parity/parity.ts';
import { AUTHORITY_TEXT } from './reference-pages.ts';
import { page } from './page.ts';

// docs/parity.md is made from src/server/parity/rules.json. scripts/write-codes.ts writes it, and
// test/server/parity/parity.test.ts compares it and the list with the code.

/** docs/parity.md */
export function parityPage(): string {
  const { counts, rules } = parity();
  const sections = AUTHORITIES.filter((authority) => authority !== 'operator').flatMap((authority) => [
    '',
    `## ${capitalised(authority)}`,
    '',
    `${capitalised(AUTHORITY_TEXT[authority])}.`,
    '',
    ...rules
      .filter((rule) => rule.authority === authority)
      .map(({ name, source, says }) => {
        const section = /^interface\.md (.+?)(?=;| \(|$)/.exec(source)?.[1];
        return `- \`${name}\`${section === undefined ? '' : ` (${section})`}: ${says}`;
      }),
  ]);
  return page('Parity', [
    'Every rule of the local platform, so that you can see how far it answers like the real one. Behind a name is the section of',
    'interface.md. `GET /_local/parity` answers the same list with all sources, error codes and tests.',
    '',
    `Of ${counts.all} rules, ${counts.documented} are \`documented\`: \`interface.md\` says them. ${counts.observed} are \`observed\`: \`deployments.md\` says them, and a person has`,
    `read each against it. ${counts.chosen} are \`chosen\`. A real platform may differ in all that is not documented: ask its operator.`,
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
