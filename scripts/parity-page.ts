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
    ...table(
      ['rule', 'what holds', 'source', 'codes', 'test'],
      rules
        .filter((rule) => rule.authority === authority)
        .map(({ name, says, source, codes = [], tested }) => [
          `\`${name}\``,
          says,
          source,
          codes.map((code) => `\`${code}\``).join(', '),
          tested,
        ]),
    ),
  ]);
  return page('Parity', [
    'This page lists every rule of the local platform, where the rule comes from, and a test that shows it. So you can see how',
    'far the local platform answers like the real one. `GET /_local/parity` answers the same as JSON.',
    '',
    ...table(
      ['authority', 'rules'],
      [...AUTHORITIES.map((authority) => [authority, `${counts[authority]}`]), ['all', `${counts.all}`]],
    ),
    '',
    'Sources: `interface.md` is the document of the interface. `deployments.md` contains the facts on which published',
    'descriptions of deployed instances agree. The pages of `docs` say what was chosen for this platform. A test is a file below',
    '`test` and a title in it. A flag is one of [`dataimport serve`](serve-reference.md#options).',
    '',
    'A real platform may differ in everything that is not documented. Ask its operator about the rules that your migration needs.',
    '',
    '## Conflicts',
    '',
    'Here `interface.md` and `deployments.md` contradict each other.',
    '',
    ...table(
      ['rule', 'conflict'],
      rules.flatMap(({ name, conflict }) => (conflict === undefined ? [] : [[`\`${name}\``, conflict]])),
    ),
    '',
    '## How the sources were checked',
    '',
    'On 2026-11-22 each row with the authority `observed` was read against `deployments.md`, by hand, with these questions:',
    '',
    '1. Does the section that the row cites name every field, every number and every code of the row?',
    '2. Does each sentence of the row follow from that section, without knowledge from elsewhere?',
    '3. Does the local platform do what the section says, in the code of the row and in its test?',
    '',
    'A row keeps `observed` when its main sentence follows. Its source then names, behind a semicolon, the page of ours for each part',
    'that does not follow. A row without such a part cites `deployments.md` alone. A code is `observed` only when `deployments.md`',
    'has it, and a test compares the codes of the rows and of [codes.md](codes.md) with that page.',
    ...sections,
  ]);
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
