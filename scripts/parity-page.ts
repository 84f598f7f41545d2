import { AUTHORITIES } from '../src/core/error-codes/entry.ts';
import { parity } from '../src/server/parity/parity.ts';
import { AUTHORITY_TEXT } from './reference-pages.ts';
import { page, table } from './page.ts';

// docs/parity.md is made from the rules of the local platform: scripts/write-codes.ts writes it and
// test/server/parity/parity.test.ts holds it, and the list, against the code.

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
    'How far the local platform can be trusted to answer as the real one: every rule that it follows, where the rule comes',
    'from, and a test that shows it. `GET /_local/parity` answers the same as JSON.',
    '',
    ...table(
      ['authority', 'rules'],
      [...AUTHORITIES.map((authority) => [authority, `${counts[authority]}`]), ['all', `${counts.all}`]],
    ),
    '',
    'Sources: `interface.md` is the document of the interface, `deployments.md` what published descriptions of deployed',
    'instances agree on, `emulator.md` and `bad-inputs.md` what was decided for this platform. A test is a file below `test`',
    'and a title in it. Where a rule names a flag, it is one of [`dataimport serve`](serve.md#options).',
    '',
    'A real platform may differ in whatever is not documented; ask its operator about what matters to a migration.',
    ...sections,
  ]);
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
