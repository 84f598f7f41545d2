import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { execa } from 'execa';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { headlessBrowser } from '../support/browser.ts';
import { migration } from '../support/migration.ts';
import { GOOD, HEADER } from '../support/refused-account.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { admin } from '../support/server-admin.ts';
import { ACCOUNT, charge, startPlatform, statement, type TestPlatform } from '../support/server-platform.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const browser: Browser | undefined = await headlessBrowser();
afterAll(() => browser?.close());

interface ContextOptions extends BrowserContextOptions {
  /** Whether the test moves the clock of the page forward. */
  readonly isTimed?: boolean;
}

/** A context of its own that ends with the test. */
async function context({ isTimed = false, ...options }: ContextOptions = {}): Promise<BrowserContext> {
  const made = await browser!.newContext({ viewport: { width: 1_280, height: 900 }, ...options });
  onTestFinished(() => made.close());
  if (isTimed) await made.clock.install();
  return made;
}

/** Opens a view. Everything that the page complains about fails the test at its end. */
async function opened(url: string, view = '', options?: ContextOptions): Promise<Page> {
  const page = await (await context(options)).newPage();
  page.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('status of 4'))
      complaints.push(message.text());
  });
  onTestFinished(() => expect(complaints).toEqual([]));
  await page.goto(`${url}/_local/ui#/${view}`);
  await page.locator('h1').waitFor();
  return page;
}

/** Hides the page as another window does, or shows it again. */
async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${isHidden} });
    document.dispatchEvent(new Event('visibilitychange'))`);
}

const payload = (...transactions: readonly object[]) => ({ ...ACCOUNT, transactions });

/** A platform with records of every kind, a duplicate, refusals and a fault. */
async function used(): Promise<TestPlatform> {
  const platform = await startPlatform();
  await platform.post(
    'createTransactions',
    payload(charge(), charge({ transaction_id: 'b', amount: '1234.56' })),
  );
  await platform.post('createTransactions', payload(charge()), { query: '?check_previously_added=false' });
  await platform.post('createTransactions', payload(charge({ amount: 7 })));
  await platform.post('createNotes', { ...ACCOUNT, notes: [{ body: 'hello', is_pinned: true }] });
  await platform.post('createStatements', { ...ACCOUNT, statements: [statement({ gross_amount: 1_234 })] });
  await platform.post('createPaymentInstruction', {
    ...ACCOUNT,
    vendor: 'STRIPE',
    reference: 'pi_1',
    type: 'CARD',
  });
  await platform.post(
    'createTransactions',
    payload(charge({ transaction_id: 'c' }), charge({ type: 'GIFT' })),
  );
  await admin(platform, 'PUT snapshots/before');
  await platform.post('createNotes', { ...ACCOUNT, notes: [{ body: 'after' }] });
  await admin(platform, 'POST faults', { rules: ['statements accept status=503'] });
  return platform;
}

/** Number of the newest refused request. */
async function refusedIn(platform: TestPlatform): Promise<number> {
  return (await admin(platform, 'GET requests/newest?status=400&limit=1')).body.requests[0].seq;
}

const LOOKS = {
  light: { colorScheme: 'light', viewport: { width: 1_280, height: 900 } },
  'dark and on a phone': { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
  'dark and wide': { colorScheme: 'dark', viewport: { width: 1_600, height: 1_000 } },
} as const;

/** The rules of axe that colours and the width of the window decide. */
const RULES_OF_LOOK = ['color-contrast', 'scrollable-region-focusable', 'target-size'];

/** How many elements are visible. Runs in the page. */
const VISIBLE = `[...document.querySelectorAll('body *')].filter((element) =>
  element.checkVisibility({ visibilityProperty: true, opacityProperty: true })).length`;

/** The views, each with a text that is there when it has loaded. */
const views = (seq: number): readonly (readonly [string, string])[] => [
  ['', 'Top refusals'],
  ['requests', '× 2'],
  [`requests/${seq}`, 'What is wrong'],
  [`requests/${seq}/why`, 'would pass here'],
  ['accounts', '1001'],
  ['accounts/ACME/1001', 'Payment instruction'],
  ['rehearsal', 'Save everything stored'],
  ['interface', 'Add notes to an account'],
  ['interface/createTransactions', 'line_items'],
  ['parity', 'interface.md'],
];

/** The code of a language, and how pieces of it are run one after the other by one process, with a form feed after each. */
const RUNS: Readonly<
  Record<string, (pieces: readonly string[]) => readonly [program: string, ...args: string[]]>
> = {
  curl: (pieces) => ['bash', '--norc', '-euc', pieces.map((piece) => `${piece}\nprintf '\\f'\n`).join('')],
  fetch: (pieces) => [
    process.execPath,
    '--input-type=module',
    '--eval',
    pieces.map((piece) => `{\n${piece}}\nconsole.log('\\f');\n`).join(''),
  ],
  python: (pieces) => [
    'python3',
    '-c',
    'import sys\nfor piece in sys.argv[1:]: exec(piece, {}); print(chr(12))',
    ...pieces,
  ],
};

/** What the code needs of requests and httpx, which a machine need not have. */
const STAND_IN = `import json as text, urllib.request

class Answer:
    def __init__(self, got):
        self.status_code, self.text = got.status, got.read().decode()
    def json(self):
        return text.loads(self.text)

def sent(url, data, headers):
    return Answer(urllib.request.urlopen(urllib.request.Request(url, data=data, headers=headers)))

def get(url, headers={}):
    return sent(url, None, headers)

def post(url, json, headers={}):
    return sent(url, text.dumps(json).encode(), {**headers, 'content-type': 'application/json'})
`;

describe.skipIf(browser === undefined)('the page of the local server in a browser', () => {
  test('light, dark, wide and on a phone: axe finds nothing in any view, nothing is wider than the window, and all that scrolls has a tab stop', async () => {
    const platform = await used();
    // The policy of the page would keep axe out, too. Another test looks at the page with its policy.
    const page = await opened(platform.url, '', { bypassCSP: true, reducedMotion: 'reduce' });
    await page.evaluate(AXE);
    for (const [view, text] of views(await refusedIn(platform))) {
      await page.goto(`${platform.url}/_local/ui#/${view}`);
      await page.getByText(text).first().waitFor();
      const judged: { colorScheme: string; visible: unknown }[] = [];
      for (const [look, { viewport, colorScheme }] of Object.entries(LOOKS)) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(viewport);
        const seen = `${view} ${look}`;
        const visible = await page.evaluate(VISIBLE);
        // A look with the parts of another one differs from it by its colours alone.
        const alike = judged.filter((other) => other.visible === visible);
        if (!alike.some((other) => other.colorScheme === colorScheme)) {
          judged.push({ colorScheme, visible });
          const isWhole = alike.length === 0;
          const { violations, passes } = (await page.evaluate(
            `axe.run(${JSON.stringify({ resultTypes: ['violations'], ...(!isWhole && { runOnly: RULES_OF_LOOK }) })})`,
          )) as {
            violations: { id: string; nodes: { html: string }[] }[];
            passes: object[];
          };
          const found = violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]);
          expect(found, seen).toEqual([]);
          expect(passes.length).toBeGreaterThan(isWhole ? 10 : 0);
        }
        expect(
          await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
          seen,
        ).toBeLessThanOrEqual(0);
        const unreachable = await page.evaluate(`[...document.querySelectorAll('main *')].filter((element) =>
          element.scrollHeight > element.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(element).overflowY) &&
          element.tabIndex < 0 && element.tagName !== 'TEXTAREA').map((element) => element.outerHTML.slice(0, 80))`);
        expect(unreachable, seen).toEqual([]);
      }
    }
  });

  test('the overview has the numbers of the ledger', async () => {
    const platform = await used();
    const page = await opened(platform.url);
    const rows = page.locator('section', { hasText: 'Stored' }).locator('tbody tr');
    await rows.first().waitFor();
    const shown = (await page.evaluate(`[...document.querySelectorAll('main tbody tr')].map((row) =>
      [...row.cells].map((cell) => cell.textContent.replaceAll(',', '').trim()))`)) as string[][];
    const { totals } = (await admin(platform, 'GET ledger/totals')).body as { totals: readonly Total[] };
    const expected = totals.map(({ kind, type, count, amount }) =>
      [`${kind.replace('_', ' ')} ${type ?? ''}`.trim(), count, amount ?? '–'].join(' | '),
    );
    expect(shown.map((cells) => cells.join(' | ')).toSorted()).toEqual(expected.toSorted());
    const figure = (name: string) =>
      page.locator('.figures > div', { hasText: name }).locator('dd').textContent();
    expect(await figure('Duplicates')).toBe('1');
    expect(await figure('Conflicting replays')).toBe('1');
    expect(await page.locator('.armed').textContent()).toBe('1 fault armed');
    expect(await page.getByLabel('Environment lines').textContent()).toContain(
      `DATAIMPORT_BASE_URL=${platform.url}`,
    );
  });

  test('the rules are searched by words, by codes and by authority', async () => {
    const platform = await startPlatform();
    const page = await opened(platform.url, 'parity');
    const { rules } = (await admin(platform, 'GET parity')).body as { rules: readonly Rule[] };
    const shown = page.locator('.entry strong');
    await expect.poll(() => shown.count()).toBe(rules.length);
    const code = rules.find(({ codes }) => codes !== undefined)!.codes![0]!;
    await page.getByLabel('Words, or a code').fill(code.toUpperCase());
    const ofCode = rules.filter((rule) => JSON.stringify(rule).includes(code)).map(({ name }) => name);
    expect(ofCode.length).toBeLessThan(rules.length);
    await expect.poll(() => shown.allTextContents()).toEqual(ofCode);
    // No rule has both words, so those with one of them are shown.
    await page.getByLabel('Words, or a code').fill(`${code} xyzzy`);
    await expect.poll(() => shown.allTextContents()).toEqual(ofCode);
    await page.reload();
    await expect.poll(() => shown.allTextContents()).toEqual(ofCode);
    await page.getByLabel('Words, or a code').fill('xyzzy');
    await page.getByText('0 rules').waitFor();
    await page.getByLabel('Words, or a code').fill('');
    await page.getByLabel('Authority').selectOption('observed');
    const observed = rules.filter(({ authority }) => authority === 'observed').map(({ name }) => name);
    await expect.poll(() => shown.allTextContents()).toEqual(observed);
  });

  test('an account shows what the ledger has: pinned notes first, the running balance, stored locations', async () => {
    const platform = await used();
    const page = await opened(platform.url, 'accounts/ACME/1001');
    const ledger = page.getByRole('region', { name: 'Ledger' });
    const entries = ledger.locator('.entry .mono');
    await entries.nth(2).waitFor();
    expect(await entries.allTextContents()).toEqual([
      '12.50 balance 12.50',
      '1,234.56 balance 1,247.06',
      '12.50 balance 1,259.56',
    ]);
    const whole = (await admin(platform, 'GET accounts/ACME/1001')).body;
    expect(whole.balance).toBe('1259.56');
    const notes = page.getByRole('region', { name: 'Notes' }).locator('.entry');
    expect(await notes.first().textContent()).toContain('pinned');
    await ledger.getByText('JSON of record').first().click();
    expect(await ledger.locator('.json').first().textContent()).toContain('"transaction_id": "tx-1"');
  });

  test('requests come live, also after a lost connection, and the filters stand in the address', async () => {
    const platform = await startPlatform();
    const note = { ...ACCOUNT, notes: [{ body: 'x' }] };
    await platform.post('createNotes', note);
    const page = await opened(platform.url, 'requests');
    const rows = page.locator('tr.row');
    await expect.poll(() => rows.count()).toBe(2);
    await platform.post('createNotes', note);
    await expect.poll(() => rows.count()).toBe(4);
    await page.getByLabel('Resource').selectOption('notes');
    await expect.poll(() => rows.count()).toBe(2);
    expect(page.url()).toMatch(/#\/requests\?endpoint=notes$/);
    await page.reload();
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByRole('button', { name: 'Pause' }).click();
    await platform.post('createNotes', note);
    await page.getByRole('button', { name: /Go on \(1 new\)/ }).click();
    await expect.poll(() => rows.count()).toBe(3);
    // The page is hidden and comes back: it asks for what came meanwhile.
    await setHidden(page, true);
    await platform.post('createNotes', note);
    await setHidden(page, false);
    await expect.poll(() => rows.count()).toBe(4);
    await admin(platform, 'POST reset');
    await expect.poll(() => rows.count()).toBe(0);
  });

  test('the list of requests loads when a server that did not answer comes back', async () => {
    const platform = await startPlatform();
    await platform.token();
    const page = await (await context({ isTimed: true })).newPage();
    await page.goto(`${platform.url}/_local/ui#/`);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.route('**/_local/requests/newest*', (route) => route.abort());
    await page.getByRole('link', { name: 'Requests' }).click();
    await page.getByText('The server does not answer').waitFor();
    await page.getByText('connection lost, trying again').waitFor();
    await page.unroute('**/_local/requests/newest*');
    await page.clock.fastForward(3_000);
    await expect.poll(() => page.locator('tr.row').count(), { timeout: 10_000 }).toBe(1);
    await page.getByText('live', { exact: true }).waitFor();
    expect(await page.getByText('The server does not answer').count()).toBe(0);
  });

  test('values in other forms than the interface shows are counted, and shown at their request', async () => {
    const platform = await startPlatform();
    await platform.post('createTransactions', {
      ...ACCOUNT,
      transactions: [charge({ amount: '12.50' })],
    });
    const page = await opened(platform.url);
    const figure = page.locator('.figures > div', { hasText: 'Tolerated' });
    expect(await figure.locator('dd').textContent()).toBe('1');
    expect(await figure.getAttribute('title')).toBe('1 amount as text. --strict refuses them.');
    await page.goto(`${platform.url}/_local/ui#/requests/2`);
    await page.getByText('1 amount as text. --strict refuses them.').waitFor();
  });

  test('an answer of a fault names the fault, and a conflicting replay shows what was sent', async () => {
    const platform = await used();
    await platform.post('createStatements', {
      ...ACCOUNT,
      statements: [statement({ statement_id: 'late' })],
    });
    const page = await opened(platform.url);
    const figure = (name: string) => page.locator('.figures > div', { hasText: name }).locator('dd');
    expect([await figure('Refused').textContent(), await figure('By faults').textContent()]).toEqual([
      '1',
      '1',
    ]);
    await figure('By faults').getByRole('link').click();
    const rows = page.locator('tr.row');
    await expect.poll(() => rows.count()).toBe(1);
    expect(await rows.first().textContent()).toContain('statements accept status=503');
    await rows.locator('.row-link').click();
    await page.getByText('Answered by').waitFor();
    expect(await page.getByRole('link', { name: 'Why was this refused?' }).count()).toBe(0);
    // The way back has the filter.
    await page.getByRole('link', { name: 'Back to the requests' }).click();
    await expect.poll(() => rows.count()).toBe(1);
    await page.goto(`${platform.url}/_local/ui#/`);
    await page.getByRole('link', { name: '1 conflicting replay' }).click();
    await rows.filter({ hasText: '1 differs' }).locator('.row-link').click();
    const conflicts = page.getByRole('region', { name: 'What was sent, and what is stored' });
    expect(await conflicts.locator('tbody').textContent()).toMatch(/tx-1\s*amount\s*7\s*"12\.50"/);
  });

  test('an address without a view says so', async () => {
    const page = await opened((await startPlatform()).url, 'nowhere');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('No such view');
  });

  test('a refusal is understood and corrected with the page and the file alone', async () => {
    const site = await migration(`
version: 1
api_keys: [{key: local-key, suppliers: [ACME]}]
suppliers: [{code: ACME, name: Acme Energy, status: Ongoing}]
product_codes: [FLEX-12]
enums: { reason: { every_type: [IMPORTED_CREDIT] } }
accounts: [{import_supplier: ACME, external_account_number: "1001", state: imported}]
`);
    const header = `${HEADER},reason`;
    site.csv('t.csv', header, `${GOOD},MOVED`);
    const overview = await opened(site.url);
    await overview.goto(`${site.url}/_local/ui#/requests`);
    const refused = await site.cli('push', 'transactions', 't.csv');
    expect(refused.exitCode).toBe(4);
    // The link of a row covers its first cell, too.
    await overview.locator('tr.row', { hasText: '400' }).locator('td').first().click({ force: true });
    await overview.getByRole('link', { name: 'Why was this refused?' }).click();
    await overview.getByText('is not one of the allowed values').first().waitFor();
    expect(await overview.locator('mark').textContent()).toBe('"MOVED"');
    expect(await overview.getByRole('link', { name: 'Account 1001' }).getAttribute('href')).toContain(
      '/1001',
    );
    expect(await overview.locator('.card.red').textContent()).not.toContain('`');
    const example = overview.locator('.note code');
    await example.waitFor();
    const value = JSON.parse((await example.textContent())!) as string;
    await overview.getByRole('button', { name: 'Use the example' }).click();
    await overview.getByRole('heading', { name: 'It would pass' }).waitFor();
    await overview.getByText('dataimport push transactions FILE').first().waitFor();
    expect(await site.ledger()).toEqual([]);
    site.csv('t.csv', header, `${GOOD},${value}`);
    const pushed = await site.cli('push', 'transactions', 't.csv');
    expect([pushed.exitCode, (await site.ledger()).length]).toEqual([0, 1]);
  });

  test('sends a request again after a question, and copies it as curl without the token', async () => {
    const platform = await used();
    const seq = await refusedIn(platform);
    const page = await opened(platform.url, `requests/${seq - 2}`, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByText('Copied').waitFor();
    const curl = (await page.evaluate('navigator.clipboard.readText()')) as string;
    expect(curl).toContain(`curl -sS -X POST ${platform.url}/v1/`);
    expect(curl).toContain('Token $TOKEN');
    const before = (await platform.ledger()).length;
    await page.getByRole('button', { name: 'Send again' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.textContent()).toContain('This changes the ledger');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect((await platform.ledger()).length).toBe(before);
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText(/Answered with \d+/).waitFor();
    await page.getByRole('link', { name: /^Request \d+$/ }).waitFor();
    expect((await admin(platform, 'GET requests/newest?limit=1')).body.requests[0].endpoint).toBe(
      'payment-instructions',
    );
  });

  test('says nothing of a body about a request that has none', async () => {
    const platform = await startPlatform();
    const headers = { origin: 'http://localhost:3000', 'access-control-request-method': 'POST' };
    await platform.request('OPTIONS', '/v1/data-import/notes/create/', { headers });
    const page = await opened(platform.url);
    for (const [view, title] of [
      ['requests/1', /^Request 1$/],
      ['requests/1/why', /^Why/],
    ] as const) {
      await page.goto(`${platform.url}/_local/ui#/${view}`);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      await page.getByText('This API has no CORS').first().waitFor();
      expect(await page.locator('main').textContent()).not.toMatch(
        /whole body|body of this request|body has been/,
      );
    }
  });

  test('copies a body that begins with @ as the body itself, not as the name of a file', async () => {
    const platform = await startPlatform();
    const page = await opened(platform.url, '', { permissions: ['clipboard-read', 'clipboard-write'] });
    for (const body of ['@/etc/passwd', "@-'; touch pwned; '"]) {
      await platform.post('createNotes', body);
      const seq = await refusedIn(platform);
      await page.goto(`${platform.url}/_local/ui#/requests/${seq}`);
      await page.getByRole('heading', { level: 1, name: `Request ${seq}` }).waitFor();
      await page.getByRole('button', { name: 'Copy as curl' }).click();
      await page.getByText('Copied').waitFor();
      const copied = (await page.evaluate('navigator.clipboard.readText()')) as string;
      const script = `curl() { printf '%s\\0' "$@"; }; sed() { cat > /dev/null; }; eval "$1"`;
      const words = execFileSync('bash', ['--norc', '-c', script, '-', copied], { encoding: 'utf8' }).split(
        '\0',
      );
      expect(words.slice(words.indexOf('--data-raw'), -1)).toEqual(['--data-raw', body]);
    }
  });

  test('each endpoint has its fields, is tried, and its code runs as it is copied', async () => {
    const platform = await startPlatform();
    const page = await opened(platform.url, 'interface', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const links = page.getByRole('region', { name: 'Endpoints' }).getByRole('link');
    await links.nth(8).waitFor();
    const names = await links.allTextContents();
    const views = await links.evaluateAll((all) => all.map((link) => (link as { hash?: string }).hash));
    expect(names).toHaveLength(9);
    const folder = temporaryFolder();
    for (const library of ['requests', 'httpx']) writeFileSync(join(folder, `${library}.py`), STAND_IN);
    const env = { ...process.env, DATAIMPORT_API_KEY: 'all-key', PYTHONPATH: folder };
    const codeIn = async (language: string) => {
      await page.getByLabel('The same as code').selectOption(language);
      return (await page.getByRole('region', { name: 'Code' }).textContent())!;
    };
    const pieces: Record<string, string[]> = { curl: [], fetch: [], python: [] };
    for (const [index, name] of names.entries()) {
      await page.goto(`${platform.url}/_local/ui${views[index]}`);
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
      if (name.startsWith('Obtain'))
        await page
          .getByLabel('Body')
          .fill((await page.getByLabel('Body').inputValue()).replace('<API_KEY>', 'all-key'));
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText(/Answered with 20[01]/).waitFor();
      pieces['curl']!.push(await codeIn('curl'));
      pieces['fetch']!.push(await codeIn('fetch'));
      // The two libraries of Python differ in their names only.
      pieces['python']!.push(await codeIn(index % 2 === 0 ? 'requests' : 'httpx'));
    }
    for (const [language, codes] of Object.entries(pieces)) {
      await admin(platform, 'POST reset');
      const [program, ...args] = RUNS[language]!(codes);
      const { stdout } = await execa(program, args, { env });
      const answers = stdout.split('\f').slice(0, -1);
      expect(answers).toHaveLength(names.length);
      for (const [index, name] of names.entries())
        expect(answers[index], `${name} in ${language}`).toMatch(
          name.startsWith('Obtain') ? /"token"/ : /[[{]/,
        );
      // A client has its answer a moment before the log has the request.
      await vi.waitFor(async () => {
        const { requests } = (await admin(platform, 'GET requests/newest')).body;
        const own = (requests as Logged[]).filter(({ endpoint }) => endpoint !== 'token');
        // Each piece obtains a token, and then sends its request, unless its request is the one for a token.
        expect([requests.length, own.length], language).toEqual([2 * names.length - 1, names.length - 1]);
        expect(
          (requests as Logged[]).filter(({ status, problems }) => status >= 300 || problems > 0),
          language,
        ).toEqual([]);
      });
    }
    for (const status of ['200', '400', '401'])
      await page
        .getByRole('region', { name: new RegExp(`^${status}, `) })
        .first()
        .waitFor();
    for (const [language, library] of [
      ['fetch', 'fetch'],
      ['python', 'requests'],
    ] as const) {
      const [program, ...args] = RUNS[language]!([await codeIn(library)]);
      const wrong = { ...env, DATAIMPORT_API_KEY: 'wrong' };
      const refused = await execa(program, args, { env: wrong, reject: false });
      expect([refused.exitCode, refused.stderr], language).toEqual([
        1,
        expect.stringContaining('the APIKey is unknown or has expired'),
      ]);
    }
    const code = await codeIn('httpx');
    await page.getByRole('button', { name: 'Copy the code' }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(code);
  });

  test('an endpoint shows the forms of its fields and its parameters, and sends the parameters that are chosen', async () => {
    const platform = await startPlatform();
    const page = await opened(platform.url, 'interface/createStatements');
    const formOf = (name: string) =>
      page.getByRole('row').filter({ hasText: name }).getByRole('cell').first().textContent();
    await page.getByText('gross_amount').first().waitFor();
    expect(await formOf('gross_amount')).toBe('whole number, or null');
    expect(await formOf('issued_date')).toBe('date, or null');
    await page.goto(`${platform.url}/_local/ui#/interface/createTransactions`);
    const parameters = page.getByRole('region', { name: 'Table: Path and query' });
    expect(await parameters.textContent()).toContain('?check_previously_added');
    expect(await formOf('payment_type')).toContain('text, such as DD_REGULAR_COLLECTION');
    for (const results of ['ADDED_TO_ACCOUNT', 'ALREADY_EXISTS']) {
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('region', { name: 'Answer' }).getByText(results).first().waitFor();
    }
    await page.getByLabel('check_previously_added').selectOption('false');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('region', { name: 'Answer' }).getByText('ADDED_TO_ACCOUNT').first().waitFor();
    expect(await page.getByRole('region', { name: 'Code' }).textContent()).toContain(
      '?check_previously_added=false',
    );
  });

  test('an account that does not exist is added, a value is typed without quotes, and nothing typed is lost', async () => {
    const platform = await startPlatform();
    const wrong = charge({ transaction_date: 'soon', amount: 'much' });
    const sent = { ...ACCOUNT, external_account_number: '1009', transactions: [wrong] };
    await platform.post('createTransactions', sent);
    const page = await opened(platform.url, 'requests/2/why');
    const focused = () => page.evaluate('document.activeElement.tagName');
    await page.getByText('has no account 1009').waitFor();
    expect(await page.locator('.hit').textContent()).toContain('1009');
    expect(await page.getByRole('link', { name: '1001' }).getAttribute('href')).toBe('#/accounts/ACME/1001');
    await page.getByRole('button', { name: 'Add it, imported' }).click();
    await page.getByText('Solved: external_account_number').waitFor();
    expect((await admin(platform, 'GET accounts/ACME/1009')).body.state).toBe('imported');
    expect(await focused()).toBe('H2');

    const field = page.getByLabel('Value of transaction_date');
    await field.fill('2025-12-31');
    await field.press('Enter');
    await page.getByText('Solved: transactions.0.transaction_date').waitFor();
    expect(await focused()).toBe('H2');
    await page.getByLabel('Value of amount').fill('a lot');
    await page.getByRole('button', { name: 'Try this value' }).click();
    await page.getByText('Not solved yet: transactions.0.amount').waitFor();
    expect(await page.getByLabel('Value of amount').inputValue()).toBe('"a lot"');
    const changes = page.locator('.changes li');
    expect(await changes.allTextContents()).toEqual([
      'transaction tx-1 (record 1): transaction_date from "soon" to "2025-12-31"',
      'transaction tx-1 (record 1): amount from "much" to "a lot"',
    ]);
    await page.getByRole('button', { name: 'Undo the last' }).click();
    await expect.poll(() => changes.count()).toBe(1);
    expect(await page.getByLabel('Value of amount').inputValue()).toBe('"much"');

    // A verdict is about the body that was judged.
    await page.getByLabel('Value of amount').fill('typed only');
    await page.getByText('Edit the whole body').click();
    const whole = page.getByLabel('Body', { exact: true });
    await whole.fill('{ "import_supplier": ');
    await page.getByRole('heading', { name: 'Not validated yet' }).waitFor();
    expect(await page.locator('.fix input').inputValue()).toBe('typed only');
    await page.getByRole('button', { name: 'Validate' }).click();
    await page.getByText('the body is not readable JSON').waitFor();
    expect(await whole.inputValue()).toBe('{ "import_supplier": ');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Validate (dry run)');
    await page.getByRole('button', { name: 'Undo the last' }).click();
    await page.getByRole('button', { name: 'Use the example' }).click();
    await page.getByRole('heading', { name: 'It would pass' }).waitFor();
    expect(await platform.ledger()).toEqual([]);

    await page.getByRole('button', { name: 'Send it for real' }).click();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('Answered with 201: 1 created.').waitFor();
    expect((await platform.ledger()).length).toBe(1);
  });

  test('a change is made in all records at once, and a repeated record is left out', async () => {
    const platform = await startPlatform();
    const list = ['a', 'b', 'b'].map((id) => charge({ transaction_id: id, currency: 'EUR' }));
    await platform.post('createTransactions', payload(...list));
    const page = await opened(platform.url, 'requests/2/why');
    await page.getByText('occurs more than once').waitFor();
    expect(await page.locator('.related').textContent()).toContain('"b"');
    await page.getByRole('button', { name: 'Leave out record 2' }).click();
    await page.getByText('is not a field of the interface').first().waitFor();
    await page.getByLabel('Leave it out of 1 other record, too').check();
    await page.getByRole('button', { name: 'Leave it out', exact: true }).click();
    await page.getByRole('heading', { name: 'It would pass' }).waitFor();
    expect(await page.locator('.changes li').allTextContents()).toEqual([
      'transaction b (record 2) left out',
      'transaction a (record 1 and 1 more): currency left out',
    ]);
  });

  test('requests stay live while more of them come, one after the other', async () => {
    const platform = await startPlatform();
    const send = () => platform.post('createNotes', { ...ACCOUNT, notes: [{ body: 'x' }] });
    const page = await opened(platform.url, 'requests');
    const newest = async () => {
      const href = await page.locator('tr.row a').first().getAttribute('href');
      return Number.parseInt(/\d+$/.exec(href ?? '0')![0], 10);
    };
    let hasMoved = false;
    // This process also serves the page, so it needs a moment after each.
    const flow = (async () => {
      while (!hasMoved) await send().then(() => setTimeout(10));
    })();
    try {
      await page.locator('tr.row').first().waitFor();
      const early = await newest();
      await expect.poll(newest, { timeout: 60_000 }).toBeGreaterThan(early);
    } finally {
      hasMoved = true;
      await flow;
    }
    // While nobody looks at the page more come than one event carries.
    await setHidden(page, true);
    for (let count = 0; count < 120; count++) await send();
    await setHidden(page, false);
    const [last] = (await admin(platform, 'GET requests/newest?limit=1')).body.requests;
    await expect.poll(newest, { timeout: 60_000 }).toBe(last.seq);
    expect(await page.locator('tr.row').count()).toBeLessThan(80);
    // No request in between is missing.
    const region = page.getByRole('region', { name: 'Requests, newest first' });
    await region.focus();
    await expect
      .poll(
        async () => {
          await page.keyboard.press('End');
          return region.locator('table').getAttribute('aria-rowcount');
        },
        { timeout: 60_000, interval: 20 },
      )
      .toBe(`${last.seq + 1}`);
  });

  test('a fault is armed, seen by a client and disarmed', async () => {
    const platform = await startPlatform();
    const note = () => platform.post('createNotes', { ...ACCOUNT, notes: [{ body: 'x' }] });
    const page = await opened(platform.url, 'rehearsal', { isTimed: true });
    await page.getByLabel('Which requests').selectOption('notes');
    await page.getByLabel('How often').selectOption('times');
    await page.getByLabel('n', { exact: true }).fill('3');
    expect(await page.getByLabel('The rule').inputValue()).toBe('notes accept status=503 times=3');
    await page
      .getByText(`dataimport admin faults add 'notes accept status=503 times=3' --base-url ${platform.url}`)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Arm', exact: true }).click();
    await page.getByText('1 fault armed').waitFor();
    expect((await note()).status).toBe(503);
    await page.clock.fastForward(3_000);
    await page.getByText('1 hit', { exact: false }).first().waitFor();
    await page.getByRole('button', { name: 'Disarm notes' }).click();
    await page.getByText('1 fault armed').waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Faults');
    expect((await note()).status).toBe(201);
    await page.getByLabel('The rule').fill('notes accept explode');
    expect(await page.getByLabel('How often').isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Arm', exact: true }).click();
    expect(await page.getByRole('alert').textContent()).toContain('explode');
    await page.getByRole('button', { name: 'Use the fields again' }).click();
    await page.getByLabel('What happens').selectOption('truncate');
    expect(await page.getByLabel('The rule').inputValue()).toBe('notes after-commit truncate=120 times=3');
    await page.getByRole('button', { name: 'Arm', exact: true }).click();
    await page.getByText('1 fault armed').waitFor();
  });

  test('clock, import states, suppliers, snapshots and reset do what their buttons say', async () => {
    const platform = await startPlatform();
    const page = await opened(platform.url, 'rehearsal');
    const state = async (path: string) => (await admin(platform, `GET ${path}`)).body;
    await page.getByLabel('Time in UTC').fill('2026-10-25T00:30');
    await page.getByRole('button', { name: 'Freeze' }).click();
    await page.getByRole('button', { name: 'Set', exact: true }).first().click();
    await expect.poll(() => state('clock')).toEqual({ now: '2026-10-25T00:30:00.000Z', mode: 'frozen' });
    await page.getByLabel('Hours').fill('2');
    await page.getByRole('button', { name: 'Advance' }).click();
    await expect.poll(async () => (await state('clock')).now).toBe('2026-10-25T02:30:00.000Z');
    await page.getByText('clock frozen at 2026-10-25T02:30:00.000Z').waitFor();

    const imports = page.getByRole('region', { name: 'Import of an account' });
    await imports.getByLabel('Account number').fill('1002');
    await imports.getByRole('button', { name: 'Set' }).click();
    await page.getByText('1002 is imported.').waitFor();
    expect((await state('accounts/ACME/1002')).state).toBe('imported');

    for (const status of ['Paused', 'Ongoing']) {
      await page.getByLabel('Status of ACME').selectOption(status);
      await page.getByText(`dataimport admin supplier ACME --status ${status}`).first().waitFor();
      await page.getByRole('button', { name: 'Set the status of ACME' }).click();
      await page.getByText(`ACME is ${status}.`).waitFor();
    }

    await page.getByRole('button', { name: 'Save everything stored' }).click();
    await page.getByText('Saved before-push.').waitFor();
    await platform.post('createNotes', { ...ACCOUNT, notes: [{ body: 'x' }] });
    await page.getByLabel('Name', { exact: true }).fill('before-push');
    await page.getByRole('button', { name: 'Save everything stored' }).click();
    expect(await page.getByRole('dialog').textContent()).toContain('Replace the snapshot before-push?');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Restore before-push', exact: true }).click();
    await page.getByRole('button', { name: 'Restore', exact: true }).last().click();
    await page.getByText('Restored before-push.').waitFor();
    expect(await platform.ledger()).toEqual([]);

    await platform.post('createNotes', { ...ACCOUNT, notes: [{ body: 'x' }] });
    await page.getByRole('button', { name: 'Reset', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
    await page.getByText('Everything is as the seed says.').waitFor();
    expect(await platform.ledger()).toEqual([]);
  });

  test('every view is reached with the keyboard alone', async () => {
    const platform = await used();
    const page = await opened(platform.url);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    for (const [name, title] of [
      ['Overview', 'Overview'],
      ['Requests', 'Requests'],
      ['Accounts', 'Accounts'],
      ['Rehearsal', 'Rehearsal'],
      ['Interface', 'Interface'],
      ['Parity', 'Parity'],
    ] as const) {
      while ((await page.evaluate('document.activeElement.textContent')) !== name)
        await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      if (name === 'Overview') continue;
      // The view has the focus, so that its content is read and the bar is one step back.
      expect(await page.evaluate('document.activeElement.id')).toBe('main');
      await page.keyboard.press('Shift+Tab');
      while (
        (await page.evaluate('document.activeElement.textContent')) !== 'dataimport serve' &&
        (await page.evaluate('document.activeElement.className')) !== 'skip'
      )
        await page.keyboard.press('Shift+Tab');
    }
  });

  test('a thousand accounts are drawn a window at a time', async () => {
    const numbers = Array.from({ length: 1_000 }, (_, index) => String(100_000 + index));
    const accounts = numbers.map(
      (number) => `  - {import_supplier: ACME, external_account_number: "${number}", state: imported}`,
    );
    const platform = await startPlatform({
      seed: `version: 1\napi_keys: [{key: all-key}]\nsuppliers: [{code: ACME, name: Acme, status: Ongoing}]\naccounts:\n${accounts.join('\n')}\n`,
    });
    const page = await opened(platform.url, 'accounts');
    const region = page.getByRole('region', { name: 'Accounts' });
    await page.getByText('1,000 accounts.').waitFor();
    await expect.poll(() => region.locator('table').getAttribute('aria-rowcount')).toBe('1001');
    // Scrolls to the end again and again, as somebody who holds the key does.
    await region.focus();
    await expect
      .poll(
        async () => {
          await page.keyboard.press('End');
          return page.locator('tr.row').last().textContent();
        },
        { timeout: 60_000, interval: 20 },
      )
      .toContain('100999');
    expect(await page.locator('tr.row').count()).toBeLessThan(80);
    await page.getByLabel('Account number contains').fill('100321');
    await page.getByText('1 account.').waitFor();
  });
});

interface Rule {
  readonly name: string;
  readonly authority: string;
  readonly codes?: readonly string[];
}

interface Logged {
  readonly endpoint: string | null;
  readonly status: number;
  readonly problems: number;
}

interface Total {
  readonly kind: string;
  readonly type: string | null;
  readonly count: number;
  readonly amount: string | null;
}

/** Texts that would do harm, or look as something else, if they were not shown as text. */
const HOSTILE = [
  `<script>document.title = 'harmed'</script>`,
  `<img src=x onerror="document.title='harmed'">`,
  '</textarea></pre><h1>harmed</h1>',
  'javascript:alert(1)',
  '\u202Egnitirw ot thgir\u202C',
  '\u2066isolated',
  'bell \u0007 and escape \u001B[31m',
  '${constructor.constructor("document.title=\'harmed\'")()}',
];

describe.skipIf(browser === undefined)('hostile data', () => {
  test('is shown as text, breaks no layout, and turns no text around it', async () => {
    const long = 'W'.repeat(50_000);
    const platform = await startPlatform();
    await platform.post('createNotes', { ...ACCOUNT, notes: HOSTILE.map((body) => ({ body })) });
    await platform.post(
      'createTransactions',
      payload(
        ...HOSTILE.map((note, index) => charge({ transaction_id: `h-${index}`, note, display_note: note })),
      ),
    );
    await platform.post('createNotes', { ...ACCOUNT, notes: [{ body: long }] });
    await platform.post(
      'createTransactions',
      payload(
        charge({
          transaction_id: HOSTILE[0],
          reason: 'x',
          type: HOSTILE[1],
          [HOSTILE[2]!]: long,
          [HOSTILE[4]!]: 1,
        }),
      ),
    );
    const path = `/v1/${encodeURIComponent(HOSTILE[0]!)}/${encodeURIComponent(HOSTILE[4]!)}`;
    await platform.request('GET', path);
    const refused = (await admin(platform, 'GET requests/newest?status=400&limit=1')).body.requests[0]
      .seq as number;
    const page = await opened(platform.url);
    const fits = async (view: string) => {
      for (const { viewport } of [LOOKS['dark and on a phone'], LOOKS.light]) {
        await page.setViewportSize(viewport);
        expect(
          await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
          view,
        ).toBeLessThanOrEqual(0);
      }
    };
    for (const [view, text] of [
      ['', 'Top refusals'],
      ['requests', '404'],
      [`requests/${refused}`, 'What is wrong'],
      [`requests/${refused}/why`, 'The request'],
      [`requests/${refused - 2}`, 'WWWW'],
      ['accounts/ACME/1001', 'Payment instruction'],
      [`accounts/${encodeURIComponent(HOSTILE[0]!)}/${encodeURIComponent(HOSTILE[1]!)}`, 'Account'],
    ] as const) {
      await page.goto(`${platform.url}/_local/ui#/${view}`);
      await page.getByText(text).first().waitFor();
      expect(await page.title(), view).not.toBe('harmed');
      expect(await page.locator('main img, main script, main h1').count(), view).toBe(1);
      await fits(view);
    }
    await page.goto(`${platform.url}/_local/ui#/requests/${refused}/why`);
    await page.getByText('Without this field').first().waitFor();
    expect(await page.locator('main').textContent()).not.toContain('\u202E');
    await page.goto(`${platform.url}/_local/ui#/requests/2`);
    await page.getByRole('heading', { name: 'Body' }).waitFor();
    expect(await page.getByText('The log keeps the first MiB').count(), 'bytes are no characters').toBe(0);
    await page.goto(`${platform.url}/_local/ui#/accounts/ACME/1001`);
    await page.getByText('U+202E').first().waitFor();
    const shown = (await page.locator('main').textContent())!;
    expect(shown).toContain(HOSTILE[0]);
    for (const character of ['\u202E', '\u2066', '\u0007', '\u001B']) expect(shown).not.toContain(character);
    await page.getByRole('button', { name: 'show all 50,000 characters' }).first().click();
    await page.getByText(long.slice(0, 10_000)).first().waitFor();
    await fits('a long text');
  });

  test('a page of another origin can neither read nor act', async () => {
    const platform = await used();
    const other = createServer((_, response) =>
      response.setHeader('content-type', 'text/html').end('<h1>other</h1>'),
    );
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const page = await (await context()).newPage();
    await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
    const { faults } = (await admin(platform, 'GET overview')).body;
    const tried = await page.evaluate(`(async (url) => {
      const outcome = (work) => work.then(String, () => 'blocked');
      const json = { 'content-type': 'application/json' };
      return Promise.all([
        outcome(fetch(url + '/_local/overview').then((answer) => answer.text())),
        outcome(fetch(url + '/_local/token', { method: 'POST', body: '{}', headers: json })),
        outcome(fetch(url + '/_local/reset', { method: 'POST', body: '{}', mode: 'no-cors' }).then(({ type }) => type)),
        outcome(fetch(url + '/_local/faults', { method: 'DELETE' })),
        outcome(new Promise((resolve, reject) => {
          const source = new EventSource(url + '/_local/requests/events');
          source.addEventListener('open', resolve);
          source.addEventListener('error', reject);
        })),
        outcome(import(url + '/_local/ui/api.js')),
      ]);
    })(${JSON.stringify(platform.url)})`);
    expect(tried).toEqual(['blocked', 'blocked', 'opaque', 'blocked', 'blocked', 'blocked']);
    expect((await admin(platform, 'GET overview')).body.faults).toEqual(faults);
    expect((await platform.ledger()).length).toBeGreaterThan(0);
  });
});
