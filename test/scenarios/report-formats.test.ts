import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import publishedSchema from '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json' with { type: 'json' };
import { Ajv } from 'ajv';
import { DOMParser } from 'linkedom';
import type { Log } from 'sarif';
import { describe, expect, test } from 'vitest';
import { RunsFolder } from '../../src/cli/run-file/runs-folder.ts';
import { migration } from '../support/migration.ts';
import { GOOD, HEADER, REFUSED, SEED } from '../support/refused-account.ts';

const INVALID = 'ACME,1001,t-2,2026-02-30,CREDIT,3.00';

/** A site with a run of one created, one refused and one invalid row. */
async function partialSite() {
  const site = await migration(SEED);
  site.csv('t.csv', HEADER, GOOD, REFUSED, INVALID);
  const flags = ['--skip-invalid', '--on-reject', 'skip', '--json'];
  const { json } = await site.cli('push', 'transactions', 't.csv', ...flags);
  return { site, run: String(json()['run']) };
}

describe('report --junit', () => {
  test('has a failing case for each cause and each account that did not finish', async () => {
    const { site, run } = await partialSite();
    const { stdout, exitCode } = await site.cli('report', run, '--junit', '-');
    expect(exitCode).toBe(6);
    const document = new DOMParser().parseFromString(stdout, 'text/xml');
    const cases = [...document.querySelectorAll('testcase')].map((each) => [
      each.getAttribute('name'),
      each.querySelector('failure')?.getAttribute('message') ?? null,
    ]);
    expect(cases).toEqual([
      ['every record arrived', '2 records of 3 did not arrive'],
      ['control totals are equal', null],
      [
        'no account_not_found in external_account_number (t.csv)',
        expect.stringContaining('1 record at t.csv:3'),
      ],
      ['no invalid in transaction_date (t.csv)', expect.stringContaining('1 record at t.csv:4')],
      [
        'the account of t.csv:3 is complete',
        '0 of 1 record arrived: no imported account has this supplier code and account number',
      ],
    ]);
    const suites = document.querySelector('testsuites')!;
    expect([suites.getAttribute('tests'), suites.getAttribute('failures')]).toEqual(['5', '4']);
    expect(stdout).toContain('<property name="rejected" value="1"/>');
  });

  test('escapes what XML would read', async () => {
    const site = await migration(SEED);
    site.csv('a<b>&"c\'.csv', HEADER, GOOD);
    await site.cli('push', 'transactions', 'a<b>&"c\'.csv');
    const { stdout } = await site.cli('report', join('.dataimport', 'runs'), '--junit', '-');
    expect(stdout).toContain('name="transactions (a&lt;b&gt;&amp;&quot;c&#39;.csv)"');
  });
});

describe('report --otlp', () => {
  interface Span {
    readonly traceId: string;
    readonly spanId: string;
    readonly parentSpanId?: string;
    readonly startTimeUnixNano: string;
    readonly endTimeUnixNano: string;
    readonly attributes: readonly { readonly key: string; readonly value: object }[];
  }
  const spansOf = (text: string): readonly Span[] =>
    text
      .trimEnd()
      .split('\n')
      .flatMap((line) => {
        const { resourceSpans } = JSON.parse(line) as {
          resourceSpans: [{ scopeSpans: [{ spans: readonly Span[] }] }];
        };
        return resourceSpans[0].scopeSpans[0].spans;
      });

  test('has a span for each attempt under one for the run, and the same ids each time', async () => {
    const { site, run } = await partialSite();
    const { stdout, exitCode } = await site.cli('report', run, '--otlp', '-');
    expect(exitCode).toBe(6);
    const spans = spansOf(stdout);
    const [root, ...others] = spans.filter(({ parentSpanId }) => parentSpanId === undefined);
    expect(others).toEqual([]);
    const attempts = spans.filter((span) => span !== root);
    expect(attempts.map(({ parentSpanId }) => parentSpanId)).toEqual([root!.spanId, root!.spanId]);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(root!.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(3);
    const statuses = attempts.map(({ attributes }) =>
      attributes.find(({ key }) => key === 'http.response.status_code'),
    );
    expect(statuses.map((status) => status!.value)).toEqual([{ intValue: '201' }, { intValue: '404' }]);
    // 2026-11-21T00:00:00Z, when the test takes place.
    expect(root!.startTimeUnixNano).toBe('1795219200000000000');
    const written = await site.cli('report', run, '--otlp', 'trace.jsonl');
    expect(written.stdout).toContain('report: trace.jsonl\n');
    expect(readFileSync(join(site.cwd, 'trace.jsonl'), 'utf8')).toBe(stdout);
  });
});

test('several forms are written in one go', async () => {
  const { site, run } = await partialSite();
  const { stdout } = await site.cli('report', run, '--html', 'r.html', '--junit', 'r.xml');
  expect(stdout).toMatch(/report: r\.html\nreport: r\.xml\n$/);
  for (const [file, start] of [
    ['r.html', '<!doctype html>'],
    ['r.xml', '<?xml'],
  ] as const)
    expect(readFileSync(join(site.cwd, file), 'utf8').startsWith(start), file).toBe(true);
});

// Draft 4, which the schema is written in, calls `$id` `id`.
const { id: _id, $schema: _draft, ...sarifSchema } = publishedSchema;
const fitsSarif = new Ajv({
  strict: false,
  allErrors: true,
  // One of its patterns has a bracket that only expressions without the flag `u` accept.
  unicodeRegExp: false,
  formats: {
    uri: (text) => URL.canParse(text),
    'uri-reference': (text) => /^[\w\-.~:/?#[\]@!$&'()*+,;=%]*$/.test(text) && URL.canParse(text, 'file:///'),
    'date-time': (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text),
  },
}).compile(sarifSchema);

describe('a check for continuous integration', () => {
  test('has each cause as a failing test, and each problem as an issue of its own', async () => {
    const { site } = await partialSite();
    site.csv('t.csv', HEADER, GOOD, INVALID, INVALID.replace('t-2', 't-3'));
    const files = ['--junit', 'j.xml', '--code-quality', 'q.json'];
    expect((await site.cli('check', 'transactions', './t.csv', ...files)).exitCode).toBe(3);
    const document = new DOMParser().parseFromString(
      readFileSync(join(site.cwd, 'j.xml'), 'utf8'),
      'text/xml',
    );
    const cases = [...document.querySelectorAll('testcase')].map((each) => [
      each.getAttribute('name'),
      each.querySelector('failure')?.getAttribute('message') ?? null,
    ]);
    expect(cases).toEqual([
      ['every row is valid', '2 errors'],
      ['no invalid in transaction_date (./t.csv)', expect.stringContaining('2 errors at ./t.csv:3, 4: ')],
    ]);
    const issues = JSON.parse(readFileSync(join(site.cwd, 'q.json'), 'utf8')) as { fingerprint: string }[];
    expect(issues).toMatchObject(
      [3, 4].map((begin) => ({
        check_name: 'dataimport/invalid',
        severity: 'major',
        location: { path: 't.csv', lines: { begin } },
        description: expect.stringMatching(/^transaction_date /) as string,
      })),
    );
    expect(new Set(issues.map(({ fingerprint }) => fingerprint)).size).toBe(2);
    // The next check replaces them, and nothing else.
    expect((await site.cli('check', 'transactions', 't.csv', ...files)).exitCode).toBe(3);
    const source = readFileSync(join(site.cwd, 't.csv'), 'utf8');
    expect((await site.cli('check', 'transactions', 't.csv', '--code-quality', 't.csv')).exitCode).toBe(2);
    expect(readFileSync(join(site.cwd, 't.csv'), 'utf8')).toBe(source);
  });

  test.each([
    ['--sarif', (text: string) => (JSON.parse(text) as Log).runs[0]!.results!.map(({ ruleId }) => ruleId)],
    [
      '--code-quality',
      (text: string) => (JSON.parse(text) as { check_name: string }[]).map((each) => each.check_name),
    ],
    ['--junit', (text: string) => [...text.matchAll(/<failure message="([^"]*)/g)].map(([, words]) => words)],
  ])('writes %s also when the mapping cannot be used', async (flag, problemsOf) => {
    const { site } = await partialSite();
    site.csv('t.csv.map.yaml', 'version: 1', 'resource: transactions', 'fields: { amount: Nothing }');
    const { exitCode, stdout } = await site.cli('check', 'transactions', 't.csv', flag, '-');
    expect(exitCode).toBe(2);
    expect(problemsOf(stdout).length).toBeGreaterThan(0);
    expect(stdout).toContain('t.csv.map.yaml');
  });

  test.each(['--sarif', '--junit', '--code-quality'])('refuses %s with values of cells', async (flag) => {
    const { site } = await partialSite();
    const { exitCode, stderr } = await site.cli('check', 'transactions', 't.csv', flag, '-', '--show-values');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`${flag} and --show-values`)]);
  });
});

describe('check --sarif', () => {
  test('fits the published schema, with a problem in a cell, more than are listed, and a file of any name', async () => {
    const site = await migration(SEED);
    const rows = Array.from({ length: 1_005 }, (_, index) => INVALID.replace('t-2', `t-${index}`));
    site.csv('größe [1] 50%.csv', HEADER, GOOD, ...rows);
    const { json } = await site.cli('check', 'transactions', 'größe [1] 50%.csv', '--sarif', '-');
    const document = json() as unknown as Log;
    expect(document.runs[0]!.results).toHaveLength(1_000);
    expect([fitsSarif(document), fitsSarif.errors]).toEqual([true, null]);
    const [{ message }] = document.runs[0]!.results as [{ message: object }];
    Object.assign(message, { markdown: 1 });
    expect(fitsSarif(document)).toBe(false);
  });

  test('has each problem at its line, each code as a rule, and no value of a cell', async () => {
    const { site } = await partialSite();
    const { exitCode, json, stdout } = await site.cli('check', 'transactions', 't.csv', '--sarif', '-');
    expect(exitCode).toBe(3);
    const { version, runs } = json() as unknown as Log;
    expect(version).toBe('2.1.0');
    const [{ tool, results, properties }] = runs as [Log['runs'][number]];
    expect(tool.driver.rules!.map(({ id }) => id)).toEqual(['invalid']);
    expect(results).toMatchObject([
      {
        ruleId: 'invalid',
        ruleIndex: 0,
        level: 'error',
        locations: [{ physicalLocation: { artifactLocation: { uri: 't.csv' }, region: { startLine: 4 } } }],
        properties: { cell: 4, header: 'transaction_date' },
      },
    ]);
    expect(properties).toEqual({ problems_total: 1 });
    expect(stdout).not.toContain('2026-02-30');
  });

  test('says how many problems it does not list', async () => {
    const site = await migration(SEED);
    const rows = Array.from({ length: 1_005 }, (_, index) => INVALID.replace('t-2', `t-${index}`));
    site.csv('t.csv', HEADER, ...rows);
    await site.cli('check', 'transactions', 't.csv', '--sarif', 'out.sarif');
    const { runs } = JSON.parse(readFileSync(join(site.cwd, 'out.sarif'), 'utf8')) as Log;
    expect(runs[0]!.results).toHaveLength(1_000);
    expect(runs[0]!.invocations![0]!.toolExecutionNotifications![0]!.message.text).toBe(
      '5 more problems are not listed.',
    );
  });

  test('refuses --show-values', async () => {
    const { site } = await partialSite();
    const { exitCode, stderr } = await site.cli(
      'check',
      'transactions',
      't.csv',
      '--sarif',
      'x',
      '--show-values',
    );
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--sarif and --show-values do not go together');
  });
});

describe('push --report-html and --report-junit', () => {
  test('write the report of the run, also of one that was refused', async () => {
    const site = await migration(SEED);
    site.csv('t.csv', HEADER, GOOD, REFUSED);
    const flags = ['--report-html', 'r.html', '--report-junit', 'r.xml'];
    const { exitCode, stdout } = await site.cli('push', 'transactions', 't.csv', '-j', '1', ...flags);
    expect(exitCode).toBe(4);
    expect(stdout).toContain('report: r.html\nreport: r.xml\n');
    const page = readFileSync(join(site.cwd, 'r.html'), 'utf8').replaceAll(/<[^>]+>/g, '');
    expect(page).toContain(
      'dataimport push transactions t.csv -j 1 --report-html r.html --report-junit r.xml',
    );
    expect(readFileSync(join(site.cwd, 'r.xml'), 'utf8')).toContain('no account_not_found');
  });

  test('say of rows that are invalid that nothing was sent', async () => {
    const site = await migration(SEED);
    site.csv('t.csv', HEADER, GOOD, INVALID);
    const { exitCode } = await site.cli('push', 'transactions', 't.csv', '--report-html', 'r.html');
    expect(exitCode).toBe(3);
    const page = readFileSync(join(site.cwd, 'r.html'), 'utf8');
    expect(page).toContain(
      'Correct 1 invalid row of t.csv; the report names the lines. Then the command is run again with the corrected file.',
    );
    expect(page).toContain('Not everything arrived: 2 of 2 records did not');
    expect(new RunsFolder(join(site.cwd, '.dataimport', 'runs')).ids()).toEqual([]);
    expect(page).toContain('exit 3 INPUT_INVALID (not_kept)');
  });

  test('take no standard output, and refuse a file that cannot be written before anything is read', async () => {
    const site = await migration(SEED);
    site.csv('t.csv', HEADER, GOOD);
    for (const [file, text] of [
      ['-', '--report-html takes a file'],
      ['missing/r.html', 'file_not_writable'],
    ] as const) {
      const { exitCode, stderr } = await site.cli('push', 'transactions', 't.csv', '--report-html', file);
      expect(exitCode).toBe(2);
      expect(stderr).toContain(text);
    }
    expect(await site.ledger()).toEqual([]);
  });
});
