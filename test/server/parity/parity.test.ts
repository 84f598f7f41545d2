import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parityPage } from '../../../scripts/parity-page.ts';
import { DESCRIPTORS, RESOURCES } from '../../../src/core/contract/resources.ts';
import type { EndpointName } from '../../../src/core/contract/endpoints.ts';
import { AUTHORITIES, type Authority } from '../../../src/core/error-codes/entry.ts';
import { entryOf, isErrorCode } from '../../../src/core/error-codes/table.ts';
import { DECISIONS, EXTRA_RULES } from '../../../src/server/options/behaviour.ts';
import { parity, RULES } from '../../../src/server/parity/parity.ts';
import { ACCOUNT, charge, startPlatform } from '../../support/server-platform.ts';
import { nodesOf, projectRoot, sourceFiles, type SyntaxNode } from '../../support/source-tree.ts';

const sources = sourceFiles('src').filter(({ path }) => /^(core|server)\//.test(path));
type Source = (typeof sources)[number];
const textOf = (path: string) => readFileSync(join(projectRoot, path), 'utf8');

/** The files in which the platform behaves. */
const behaves = ({ path }: Source) => /^(core\/(rules|contract\/resources)|server\/platform)\//.test(path);

interface TopFunction {
  readonly name: string;
  /** Others can call it, or it returns problems. */
  readonly mayBeRule: boolean;
}

/** The functions that a file declares at its top level. */
function functionsIn(file: Source): readonly TopFunction[] {
  return nodesOf(file).flatMap(({ node, parent }) => {
    const isExported = parent?.type === 'ExportNamedDeclaration';
    if (node.type !== 'FunctionDeclaration' || !(isExported || parent?.type === 'Program')) return [];
    const { name } = node['id'] as unknown as { readonly name: string };
    const returned = node['returnType'] as SyntaxNode | undefined;
    const type = returned ? file.text.slice(returned['start'] as number, returned['end'] as number) : '';
    return [{ name, mayBeRule: isExported || type.includes('Problem[]') }];
  });
}

/** The codes of the platform that a file uses. */
function codesIn(file: Source): readonly string[] {
  return nodesOf(file).flatMap(({ node }) => {
    const { value } = node as { value?: unknown };
    const isCode = node.type === 'Literal' && typeof value === 'string' && isErrorCode(value);
    return isCode && entryOf(value).status !== null ? [value] : [];
  });
}

describe('the list of rules', () => {
  const functions = new Map(sources.map((file) => [file.path, functionsIn(file)] as const));
  const named = new Set(RULES.map(({ file, function: name }) => `${file} ${name}`));

  test('names only files and functions that exist', () => {
    const missing = RULES.filter(({ file, function: name }) => {
      const present = functions.get(file);
      return !present || (name !== undefined && !present.some((each) => each.name === name));
    });
    expect(missing).toEqual([]);
    expect(RULES.filter((rule) => rule.function !== undefined).length).toBeGreaterThan(40);
  });

  test('names every function in which the platform behaves', () => {
    const NO_RULES = [
      'core/rules/document-rules.ts misplacement',
      'core/rules/leaf-checks.ts leafChecks',
      'core/rules/record.ts checkRecord',
      'core/rules/schema-problems.ts problemsOfIssues',
      'core/rules/schema-problems.ts valueAt',
      'core/rules/tolerated-forms.ts untolerated',
      'core/rules/transaction-rules.ts eachLineItem',
      'server/platform/account-lifecycle.ts isUnderWay',
      'server/platform/account-lifecycle.ts planImport',
      'server/platform/checked-record.ts recordCheck',
      'server/platform/checked-record.ts checkAsPlatform',
      'server/platform/clock.ts clockOver',
      'server/platform/document-locations.ts documentWarnings',
      'server/platform/platform.ts platformOf',
      'server/platform/unlisted-fields.ts countIgnored',
    ];
    const candidates = sources
      .filter(behaves)
      .flatMap((file) =>
        functionsIn(file).flatMap(({ name, mayBeRule }) => (mayBeRule ? [`${file.path} ${name}`] : [])),
      );
    expect(candidates.filter((each) => !named.has(each))).toEqual(NO_RULES);
  });

  test('names every rule of every resource', () => {
    const rules = RESOURCES.flatMap((resource) => DESCRIPTORS[resource].rules.map(({ name }) => name));
    const ofCore = RULES.filter(({ file }) => file.startsWith('core/rules/')).map((rule) => rule.function);
    expect(rules.filter((name) => !ofCore.includes(name))).toEqual([]);
    expect(new Set(rules).size).toBe(rules.length);
  });

  test('leaves out no file in which the platform behaves', () => {
    const WITHOUT_RULES = [
      'core/rules/leaf-checks.ts',
      'core/rules/rule.ts',
      'core/rules/schema-problems.ts',
      'server/platform/clock.ts',
    ];
    const files = new Set(RULES.map(({ file }) => file));
    const silent = sources.filter((file) => behaves(file) && !files.has(file.path));
    expect(silent.map(({ path }) => path)).toEqual(WITHOUT_RULES);
  });

  test('names no rule twice, and no function twice', () => {
    const names = RULES.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    const functionsNamed = RULES.flatMap(({ file, function: name }) => (name ? [`${file} ${name}`] : []));
    expect(new Set(functionsNamed).size).toBe(functionsNamed.length);
  });

  test('names every code that the platform answers with, and no other', () => {
    const files = new Set(RULES.map(({ file }) => file));
    const answering = sources.filter(
      (file) => behaves(file) || file.path.startsWith('core/contract/') || files.has(file.path),
    );
    const codes = RULES.flatMap((rule) => rule.codes ?? []);
    // The client looks for repetitions over a whole file. The platform does so for some resources, within a request.
    const ofClient = RESOURCES.filter(
      (resource) => !sources.some(({ text }) => text.includes(`repeatedIds('${resource}'`)),
    ).map((resource): string => DESCRIPTORS[resource].repetition.code);
    const answered = answering.flatMap(codesIn).filter((code) => !ofClient.includes(code));
    expect([...new Set(codes)].toSorted()).toEqual([...new Set(answered)].toSorted());
  });

  test('has the properties of a rule, and no others', () => {
    const KEYS = [
      'name',
      'authority',
      'source',
      'says',
      'conflict',
      'codes',
      'fields',
      'endpoints',
      'file',
      'function',
      'tested',
    ];
    for (const rule of RULES) {
      expect(Object.keys(rule)).toEqual(KEYS.filter((key) => Object.hasOwn(rule, key)));
      expect(AUTHORITIES).toContain(rule.authority);
      expect((rule.codes ?? []).filter((code) => !isErrorCode(code))).toEqual([]);
    }
  });

  test.each(RULES)('$name has a source, and a test that shows it', ({ authority, source, says, tested }) => {
    const SOURCES: Record<Authority, RegExp> = {
      documented: /^interface\.md \d/,
      observed: /deployments\.md/,
      chosen: /^docs\/(serve-reference|operating)\.md, ".+"/,
      // Rules of a contract are added when a platform is started with one.
      operator: /(?!)/,
    };
    expect(source).toMatch(SOURCES[authority]);
    expect(says).toMatch(/\.$/);
    const [file, title] = tested.split(' › ') as [string, string];
    const text = textOf(`test/${file}.test.ts`).replaceAll("\\'", "'");
    expect(text.includes(`'${title}'`) || text.includes(`"${title}"`), `${file} has "${title}"`).toBe(true);
  });

  test('calls a rule observed only when deployments.md has its codes, or another page of ours says why', () => {
    const page = textOf('docs/spec/deployments.md');
    const unnamed = RULES.filter(({ authority }) => authority === 'observed').flatMap(
      ({ name, source, codes = [] }) =>
        codes
          .filter((code) => !page.includes(`\`${code}\``) && !source.includes('code'))
          .map((code) => [name, code]),
    );
    expect(unnamed).toEqual([]);
  });

  test('names the fields of the rules of deployments.md', () => {
    const page = textOf('docs/spec/deployments.md');
    const wrong = RULES.filter(({ says }) => says.includes(' rule=')).flatMap(
      ({ name, says, codes = [] }) => {
        const row = page
          .split('\n')
          .find((line) => line.startsWith('|') && codes.some((code) => line.includes(code)));
        const fields = says.match(/exactly one of ([\w, ]+)/)?.[1]?.match(/\w+_\w+|\breference\b/g) ?? [];
        return fields.filter((field) => !row?.includes(`\`${field}\``)).map((field) => [name, field]);
      },
    );
    expect(wrong).toEqual([]);
  });

  test('lists transaction_in_future under force_add_to_current_statement as a conflict', () => {
    const rule = RULES.find(({ codes }) => codes?.includes('transaction_in_future'));
    expect(rule?.conflict).toContain('force_add_to_current_statement');
    const [, conflicts] = parityPage().split('\n## Conflicts\n');
    expect(conflicts!.split('\n## ')[0]).toContain(`\`${rule!.name}\``);
  });

  test('cites sections of our own pages that exist', () => {
    const cited = RULES.flatMap(({ source }) => [...source.matchAll(/(docs\/[\w-]+\.md), "([^"]+)"/g)]);
    const missing = cited.filter(([, page, section]) => !textOf(page!).includes(`\n## ${section}\n`));
    expect(missing.map(([citation]) => citation)).toEqual([]);
    expect(cited.length).toBeGreaterThan(20);
  });

  test('rests on every section of the interface that says how to answer', () => {
    const documented = RULES.filter(({ authority }) => authority === 'documented').map(
      ({ source }) => source,
    );
    const SECTIONS = '2.1 2.2 2.4 3.1 3.2 3.3 4.2 4.3 4.4 4.5 4.6 4.7 4.9 5 7.1 7.2'.split(' ');
    expect(SECTIONS.filter((section) => !documented.some((source) => source.includes(section)))).toEqual([]);
  });

  test('mentions every flag that changes an answer', () => {
    const flags = Object.values(DECISIONS).map(({ key }) => `--behaviour ${key}`);
    const all = RULES.map(({ says }) => says).join(' ');
    expect(flags.filter((flag) => !all.includes(flag))).toEqual([]);
    expect(EXTRA_RULES.filter((rule) => !all.includes(`--behaviour rule=${rule}`))).toEqual([]);
  });
});

test('docs/parity.md is made from the rules; `npm run generate:codes` writes it', () => {
  expect(textOf('docs/parity.md')).toBe(parityPage());
});

test('GET /_local/parity answers every rule, and how many there are of each authority', async () => {
  const platform = await startPlatform();
  const answer = await platform.request('GET', '/_local/parity');
  const { counts, rules } = parity();
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ counts, rules });
  expect(counts.documented + counts.observed + counts.chosen).toBe(counts.all);
  expect(rules).toHaveLength(RULES.length);
  expect(counts.all).toBe(RULES.length);
});

test.each<[string, EndpointName, object, string?]>([
  ['notes-of-unknown-supplier', 'createNotes', { import_supplier: 'NOBODY', notes: [{ body: 'x' }] }],
  ['imported-accounts-take-data', 'createNotes', { external_account_number: '0', notes: [{ body: 'x' }] }],
  ['query-parameters-exact', 'createTransactions', { transactions: [charge()] }, '?force_add=false'],
  ['unlisted-fields', 'createTransactions', { transactions: [charge()], force_add: false }],
  ['fields-around-records', 'createTransactions', { transactions: [] }],
])('a request that %s refuses names this rule', async (rule, endpoint, body, query = '') => {
  const platform = await startPlatform();
  await platform.post(endpoint, { ...ACCOUNT, ...body }, { query });
  const { problems } = (await platform.request('GET', '/_local/requests/2')).body;
  expect(problems).toMatchObject([{ rule: { name: rule } }]);
});

test('a list without accounts that is a 404 names no rule of another 404', async () => {
  const platform = await startPlatform({ behaviour: ['empty-list-status=404'] });
  await platform.get('allAccountImportProcesses', { importSupplier: 'EMPTY' });
  const { problems } = (await platform.request('GET', '/_local/requests/2')).body;
  expect(problems).toMatchObject([{ code: 'not_found', rule: null }]);
});
