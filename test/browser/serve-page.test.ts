import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { headlessBrowser } from '../support/browser.ts';
import { migration } from '../support/migration.ts';
import { GOOD, HEADER } from '../support/refused-account.ts';
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

/** The rows of a list. */
const ROWS = '.rows tbody tr';

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
  ['', '× 2'],
  [`requests/${seq}`, 'Why it was refused'],
  ['accounts', '1001'],
  ['accounts/ACME/1001', 'Payment instruction'],
  ['accounts/ACME/1002', 'Import it'],
  ['rehearse', 'Save everything stored'],
];

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

  test('the figures of today stand above the requests, and the bar says that a fault is armed', async () => {
    const platform = await used();
    const page = await opened(platform.url);
    const figure = (name: string) =>
      page.locator('.figures > div', { hasText: name }).locator('dd').textContent();
    const { today, counts } = (await admin(platform, 'GET figures')).body;
    expect(await figure('Requests today')).toBe(`${today.requests}`);
    expect(await figure('Refused today')).toBe('1');
    expect(await figure('Accounts')).toBe(`${counts.accounts}`);
    expect(await figure('Records stored')).toBe(`${(await platform.ledger()).length}`);
    expect(await page.locator('.armed').textContent()).toBe('1 fault armed');
    await page.getByRole('link', { name: 'OpenAPI document' }).waitFor();
    await page.getByText(`${platform.url}/_local/openapi.json`).waitFor();
  });

  test('a server without requests shows how to send the first, with the key of the built-in seed alone', async () => {
    const own = await opened((await startPlatform()).url);
    await own.getByText('DATAIMPORT_API_KEY=…').waitFor();
    const { url } = await startPlatform({ seeds: [] });
    const page = await opened(url);
    const commands = page.getByRole('region', { name: 'Commands' });
    await commands.getByText('DATAIMPORT_SUPPLIER=ACME').waitFor();
    expect(await commands.textContent()).toContain('DATAIMPORT_API_KEY=local-key');
    expect(await commands.textContent()).toContain(`DATAIMPORT_BASE_URL=${url}`);
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
    const page = await opened(platform.url);
    const rows = page.locator(ROWS);
    await expect.poll(() => rows.count()).toBe(2);
    await platform.post('createNotes', note);
    await expect.poll(() => rows.count()).toBe(4);
    await page.getByLabel('Resource').selectOption('notes');
    await expect.poll(() => rows.count()).toBe(2);
    expect(page.url()).toMatch(/#\/\?endpoint=notes$/);
    await page.reload();
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByRole('button', { name: 'Pause' }).click();
    await platform.post('createNotes', note);
    await page.getByRole('button', { name: 'Go on' }).click();
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
    await page.goto(`${platform.url}/_local/ui#/accounts`);
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
    await page.route('**/_local/requests/newest*', (route) => route.abort());
    await page.getByRole('link', { name: 'Requests' }).click();
    await page.getByText('connection lost, trying again').waitFor();
    await page.unroute('**/_local/requests/newest*');
    await page.clock.fastForward(3_000);
    await expect.poll(() => page.locator(ROWS).count(), { timeout: 10_000 }).toBe(1);
    await page.getByText('live', { exact: true }).waitFor();
  });

  test('values in other forms than the interface shows are counted, and shown at their request', async () => {
    const platform = await startPlatform();
    await platform.post('createTransactions', {
      ...ACCOUNT,
      transactions: [charge({ amount: '12.50' })],
    });
    const page = await opened(platform.url);
    const figure = page.locator('.figures > div', { hasText: 'Tolerated' }).locator('dd a');
    expect(await figure.textContent()).toBe('1');
    expect(await figure.getAttribute('title')).toBe('1 amount as text. --behaviour strict refuses them.');
    await page.goto(`${platform.url}/_local/ui#/requests/2`);
    await page.getByText('1 amount as text. --behaviour strict refuses them.').waitFor();
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
    const rows = page.locator(ROWS);
    await expect.poll(() => rows.count()).toBe(1);
    expect(await rows.first().textContent()).toContain('statements accept status=503');
    await rows.locator('.row-link').click();
    await page.getByText('Answered by').waitFor();
    expect(await page.getByText('Why it was refused').count()).toBe(0);
    // The way back has the filter.
    await page.getByRole('link', { name: 'Back to the requests' }).click();
    await expect.poll(() => rows.count()).toBe(1);
    await page.goto(`${platform.url}/_local/ui#/accounts/ACME/1001`);
    await page.getByRole('link', { name: 'sent 1 time with other content' }).click();
    await rows.filter({ hasText: '1 differs' }).locator('.row-link').click();
    const conflicts = page.locator('section', { hasText: 'Came again with other content' });
    expect(await conflicts.locator('li').textContent()).toMatch(/tx-1\s*amount: sent 7, stored\s*"12\.50"/);
  });

  test('a figure leads to its requests, which say how many records they created', async () => {
    const platform = await startPlatform();
    const send = () =>
      platform.post('createTransactions', payload(charge(), charge({ transaction_id: 'b', type: 'GIFT' })));
    await send();
    await platform.post('createNotes', { ...ACCOUNT, notes: [{ body: 'x' }, { body: 'x' }] });
    const page = await opened(platform.url);
    await page.locator('.figures > div', { hasText: 'Refused' }).getByRole('link').click();
    const rows = page.locator(ROWS);
    await expect.poll(() => rows.allTextContents()).toEqual([expect.stringContaining('invalid_choice')]);
    await page.getByRole('link', { name: 'Clear' }).click();
    await rows.filter({ hasText: '1 created, 1 already there' }).locator('.row-link').click();
    await page.getByText('2 (1 created, 1 already there)').waitFor();
  });

  test('a server that is gone is said in the middle of every view, with the command that starts it', async () => {
    const platform = await startPlatform();
    const page = await (await context({ isTimed: true })).newPage();
    await page.goto(`${platform.url}/_local/ui#/rehearse`);
    const rule = page.getByLabel('The rule');
    await rule.fill('notes accept stall');
    await page.route('**/_local/*', (route) => route.abort());
    await page.clock.fastForward(4_000);
    await page.getByText('The server does not answer').waitFor();
    await page.getByText(`dataimport serve --port ${platform.port} --db :memory:`).first().waitFor();
    expect(await rule.isVisible()).toBe(false);
    await page.unroute('**/_local/*');
    await page.clock.fastForward(4_000);
    await expect.poll(() => rule.isVisible()).toBe(true);
    expect(await rule.inputValue()).toBe('notes accept stall');
  });

  test('an address without a view says so', async () => {
    const page = await opened((await startPlatform()).url, 'nowhere');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('No such view');
  });

  test('a refusal is understood with the page alone, and corrected in the file', async () => {
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
    const page = await opened(site.url);
    const refused = await site.cli('push', 'transactions', 't.csv');
    expect(refused.exitCode).toBe(4);
    // The link of a row covers its first cell, too.
    await page.locator(ROWS, { hasText: '400' }).locator('td').first().click({ force: true });
    await page.getByText('is not one of the allowed values').first().waitFor();
    expect(await page.locator('mark').textContent()).toContain('"MOVED"');
    const why = (await page.locator('.card.red').textContent())!;
    expect(why).toMatch(/Use one of: .*IMPORTED_CREDIT/);
    expect(why).toContain('dataimport explain invalid_choice');
    expect(why).not.toContain('`');
    site.csv('t.csv', header, `${GOOD},IMPORTED_CREDIT`);
    const pushed = await site.cli('push', 'transactions', 't.csv');
    expect([pushed.exitCode, (await site.ledger()).length]).toEqual([0, 1]);
  });

  test('says nothing of a body about a request that has none', async () => {
    const platform = await startPlatform();
    const headers = { origin: 'http://localhost:3000', 'access-control-request-method': 'POST' };
    await platform.request('OPTIONS', '/v1/data-import/notes/create/', { headers });
    const page = await opened(platform.url, 'requests/1');
    await page.getByText('This API has no CORS').first().waitFor();
    expect(await page.locator('main').textContent()).not.toMatch(
      /whole body|body of this request|body has been/,
    );
  });

  test('an account that does not exist is added from the refusal, and a repeated record is marked beside its first', async () => {
    const platform = await startPlatform();
    const unknown = { ...ACCOUNT, external_account_number: '1009', transactions: [charge()] };
    await platform.post('createTransactions', unknown);
    const page = await opened(platform.url, 'requests/2');
    await page.getByText('has no account 1009').waitFor();
    expect(await page.locator('.hit').textContent()).toContain('1009');
    await page.getByText('dataimport admin account import 1009 --supplier ACME').first().waitFor();
    await page.getByRole('button', { name: 'Add it, imported' }).click();
    await page.getByText('It takes data, so send the request again.').waitFor();
    expect((await admin(platform, 'GET accounts/ACME/1009')).body.state).toBe('imported');
    expect((await platform.post('createTransactions', unknown)).status).toBe(201);

    await platform.post(
      'createTransactions',
      payload(...['a', 'b', 'b'].map((id) => charge({ transaction_id: id }))),
    );
    await page.goto(`${platform.url}/_local/ui#/requests/${await refusedIn(platform)}`);
    await page.getByText('occurs more than once').first().waitFor();
    await page.getByRole('button', { name: 'show it' }).click();
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe(
      'Body of the request',
    );
  });

  test('requests stay live while more of them come, one after the other', async () => {
    const platform = await startPlatform();
    const send = () => platform.post('createNotes', { ...ACCOUNT, notes: [{ body: 'x' }] });
    const page = await opened(platform.url);
    const newest = async () => {
      const href = await page.locator('tbody tr a').first().getAttribute('href');
      return Number.parseInt(/\d+$/.exec(href ?? '0')![0], 10);
    };
    let hasMoved = false;
    // This process also serves the page, so it needs a moment after each.
    const flow = (async () => {
      while (!hasMoved) await send().then(() => setTimeout(10));
    })();
    try {
      await page.locator(ROWS).first().waitFor();
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
    // No request in between is missing.
    const numbers = await page
      .locator(`${ROWS} .row-link`)
      .evaluateAll((all) =>
        all.map((link) => Number.parseInt(/\d+$/.exec((link as { href?: string }).href!)![0], 10)),
      );
    expect(numbers.length).toBeGreaterThan(120);
    expect(numbers).toEqual(numbers.map((_, index) => last.seq - index));
  });

  test('a fault is armed, seen by a client and disarmed', async () => {
    const platform = await startPlatform();
    const note = () => platform.post('createNotes', { ...ACCOUNT, notes: [{ body: 'x' }] });
    const page = await opened(platform.url, 'rehearse', { isTimed: true });
    await page.getByLabel('What happens').selectOption('an answer that is cut');
    const rule = page.getByLabel('The rule');
    expect(await rule.inputValue()).toBe('transactions after-commit truncate=120');
    await rule.fill('notes accept status=503 times=3');
    await page
      .getByText(`dataimport admin faults add 'notes accept status=503 times=3' --base-url ${platform.url}`)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Arm', exact: true }).click();
    await page.getByText('1 fault armed').waitFor();
    expect((await note()).status).toBe(503);
    await page.clock.fastForward(3_000);
    await page.getByText('took 1', { exact: false }).first().waitFor();
    await page.getByRole('button', { name: 'Disarm notes' }).click();
    await page.getByText('1 fault armed').waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Faults');
    expect((await note()).status).toBe(201);
    await rule.fill('notes accept explode');
    await page.getByRole('button', { name: 'Arm', exact: true }).click();
    expect(await page.getByRole('alert').textContent()).toContain('explode');
  });

  test('every fault that the page offers is one that the platform takes', async () => {
    const platform = await startPlatform();
    const page = await opened(platform.url, 'rehearse');
    const offered = await page.getByLabel('What happens').locator('option').allTextContents();
    for (const [index, name] of offered.entries()) {
      await page.getByLabel('What happens').selectOption(name);
      await page.getByRole('button', { name: 'Arm', exact: true }).click();
      await expect.poll(async () => (await admin(platform, 'GET faults')).body.rules.length).toBe(index + 1);
    }
  });

  test('clock, snapshots and reset do what their buttons say', async () => {
    const platform = await startPlatform();
    const page = await opened(platform.url, 'rehearse');
    const clock = async () => (await admin(platform, 'GET clock')).body;
    await page.getByLabel('Time in UTC').fill('2026-10-25T00:30');
    await page.getByRole('button', { name: 'Freeze' }).click();
    await page.getByRole('button', { name: 'Set', exact: true }).click();
    await expect.poll(clock).toEqual({ now: '2026-10-25T00:30:00.000Z', mode: 'frozen' });
    await page.getByRole('button', { name: 'An hour later' }).click();
    await expect.poll(async () => (await clock()).now).toBe('2026-10-25T01:30:00.000Z');
    await page.getByText('clock frozen at 2026-10-25T01:30:00.000Z').waitFor();

    await page.getByRole('button', { name: 'Save everything stored' }).click();
    // The page asks before it replaces a snapshot that its list has.
    await page.getByRole('button', { name: 'Restore before-push', exact: true }).waitFor();
    const note = () => platform.post('createNotes', { ...ACCOUNT, notes: [{ body: 'x' }] });
    await note();
    const question = new Promise<string>((resolve) => {
      page.once('dialog', (dialog) => {
        resolve(dialog.message());
        void dialog.dismiss();
      });
    });
    await page.getByRole('button', { name: 'Save everything stored' }).click();
    expect(await question).toContain('Replace the snapshot before-push?');
    page.on('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Restore before-push', exact: true }).click();
    await expect.poll(() => platform.ledger()).toEqual([]);

    await note();
    await page.getByRole('button', { name: 'Reset', exact: true }).click();
    await expect.poll(() => platform.ledger()).toEqual([]);
    await page.getByRole('button', { name: 'Delete before-push', exact: true }).click();
    await page.getByRole('button', { name: 'Delete before-push' }).waitFor({ state: 'detached' });
  });

  test('every view is reached with the keyboard alone', async () => {
    const platform = await used();
    const page = await opened(platform.url);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    for (const [name, title] of [
      ['Requests', 'Requests'],
      ['Accounts', 'Accounts'],
      ['Rehearse', 'Rehearse'],
    ] as const) {
      while ((await page.evaluate('document.activeElement.textContent')) !== name)
        await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      if (name === 'Requests') continue;
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

  test('a thousand accounts are shown on pages, and one of them is found', async () => {
    const numbers = Array.from({ length: 1_000 }, (_, index) => String(100_000 + index));
    const accounts = numbers.map(
      (number) => `  - {import_supplier: ACME, external_account_number: "${number}", state: imported}`,
    );
    const platform = await startPlatform({
      seed: `version: 1\napi_keys: [{key: all-key}]\nsuppliers: [{code: ACME, name: Acme, status: Ongoing}]\naccounts:\n${accounts.join('\n')}\n`,
    });
    const page = await opened(platform.url, 'accounts');
    await page.getByText('1,000 accounts, 200 on a page.').waitFor();
    await page.getByRole('link', { name: 'Next page' }).click();
    await expect.poll(() => page.locator(ROWS).last().textContent()).toContain('100399');
    await page.getByLabel('Account number contains').fill('100321');
    await page.getByText('1 account.').waitFor();
  });
});

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
      ['', '404'],
      [`requests/${refused}`, 'Why it was refused'],
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
    await page.goto(`${platform.url}/_local/ui#/requests/${refused}`);
    await page.getByText('Why it was refused').waitFor();
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
    const { body: faults } = await admin(platform, 'GET faults');
    const tried = await page.evaluate(`(async (url) => {
      const outcome = (work) => work.then(String, () => 'blocked');
      const json = { 'content-type': 'application/json' };
      return Promise.all([
        outcome(fetch(url + '/_local/figures').then((answer) => answer.text())),
        outcome(fetch(url + '/_local/clock/freeze', { method: 'POST', body: '{}', headers: json })),
        outcome(fetch(url + '/_local/reset', { method: 'POST', body: '{}', mode: 'no-cors' }).then(({ type }) => type)),
        outcome(fetch(url + '/_local/faults', { method: 'DELETE' })),
        outcome(import(url + '/_local/ui/api.js')),
      ]);
    })(${JSON.stringify(platform.url)})`);
    expect(tried).toEqual(['blocked', 'blocked', 'opaque', 'blocked', 'blocked']);
    expect((await admin(platform, 'GET faults')).body).toEqual(faults);
    expect((await platform.ledger()).length).toBeGreaterThan(0);
  });
});
