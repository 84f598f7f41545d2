import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { badInputSite, expectAnswer, notes, statements, transactions } from '../support/bad-input.ts';

const ESC = '\u001b';

describe('text that could act on something', () => {
  const BODIES = {
    '[C128] a formula': '=HYPERLINK("https://platform.example")',
    '[C128] a formula that begins with @': '@SUM(1,1)',
    '[C128] a text that begins with a tab': '\tmoved out',
    '[C130] marks that turn the direction of writing, joiners and astral characters':
      'a\u202eb\u200dc\u{1f600}',
    '[C131] words that templates and logs would fill in': '%s ${x} %d\nnext line',
    '[C129] escape codes of a terminal': `${ESC}[31mred${ESC}]0;title\u0007`,
  };
  test('is sent as it is', async () => {
    const site = await badInputSite();
    const bodies = Object.values(BODIES);
    const file = site.csv('n.csv', notes(...bodies.map((body) => ({ body }))).trimEnd());
    expect((await site.cli('push', 'notes', file)).exitCode).toBe(0);
    expect((await site.ledger()).map(({ data }) => data['body'])).toEqual(bodies);
  });

  test('in a header does not reach the terminal', async () => {
    const site = await badInputSite();
    for (const [says, header] of [
      ['[C129] escape codes', `${ESC}[31mname${ESC}[0m`],
      ['[C130] bidi overrides and zero-width characters', 'na\u202eme\u200b'],
    ] as const) {
      const file = site.csv('n.csv', notes({ [header]: 'x' }).trimEnd());
      const { stdout, stderr } = await site.cli('check', 'notes', file);
      expect(`${stdout}${stderr}`, says).toContain('header_unknown');
      expect(`${stdout}${stderr}`, says).not.toMatch(new RegExp(`[${ESC}\u202e\u200b]`));
    }
  });

  test('[C131] a log has one JSON document on each line, whatever the name of the file', async () => {
    const site = await badInputSite();
    const file = site.csv('%s ${x}.csv', notes({ 'a\nb': 'x' }).trimEnd());
    const log = join(site.cwd, 'log.ndjson');
    await site.cli('check', 'notes', file, '--log-file', log);
    const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
    expect(() => lines.map((line) => JSON.parse(line) as unknown)).not.toThrow();
  });
});

describe('amounts that floats would change', () => {
  test('[C090] ten digits before and ten after the point arrive as they are', async () => {
    const site = await badInputSite();
    const file = site.csv(
      't.csv',
      transactions({
        type: 'SUPPLY_CHARGE',
        product_code: 'FLEX-12',
        amount: '9999999999.99',
        'line_items.0.start_date': '2026-01-01',
        'line_items.0.end_date': '2026-01-31',
        'line_items.0.number_of_units': '1',
        'line_items.0.net_amount': '9999999999.9900000001',
      }).trimEnd(),
    );
    const body = await bodyOf(site, file);
    expect(body).toContain('"net_amount":"9999999999.9900000001"');
    expect((await site.cli('push', 'transactions', file)).exitCode).toBe(0);
  });

  test('[C105] the control total of many small amounts is exact', async () => {
    const site = await badInputSite();
    const rows = Array.from({ length: 3000 }, () => ({ amount: '0.10' }));
    const file = site.csv('t.csv', transactions(...rows).trimEnd());
    const { json } = await site.cli('check', 'transactions', file, '--json');
    expect(json()['control_totals']).toMatchObject([{ type: 'CREDIT', count: 3000, read: '300.00' }]);
  });

  test('[C103] amounts of zero are sent, with a warning', () =>
    expectAnswer({
      says: '',
      file: transactions({ amount: '0.00' }, { amount: '1.00' }),
      errors: [],
      warnings: ['zero_amount'],
      landed: 2,
    }));

  test('[C107] gross amounts that look like major units are a warning', () =>
    expectAnswer({
      says: '',
      resource: 'statements',
      file: statements(...Array.from({ length: 30 }, (_, index) => ({ gross_amount: String(40 + index) }))),
      errors: [],
      warnings: ['gross_amounts_look_like_major_units'],
    }));
});

/** The body of the first request of a push, as its journal has it. */
async function bodyOf(site: Awaited<ReturnType<typeof badInputSite>>, file: string): Promise<string> {
  const { stdout } = await site.cli('check', 'transactions', file, '--line', '2', '--json');
  return (JSON.parse(stdout) as { request: { body_text: string } }).request.body_text;
}

describe('instants', () => {
  test('[C124] nine digits of a second arrive as they are', async () => {
    const site = await badInputSite();
    const created_at = '2026-01-05T10:00:00.123456789Z';
    const file = site.csv('n.csv', notes({ created_at }).trimEnd());
    const { exitCode, stderr } = await site.cli('push', 'notes', file);
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('split_seconds') as string,
    });
    expect((await site.ledger())[0]!.data['created_at']).toBe(created_at);
  });

  test.each([
    ['a header alone', undefined],
    ['a mapping', 'created_at: created_at'],
    [
      'a mapping that cuts parts of a second off',
      String.raw`created_at: { column: created_at, replace: [{ pattern: '\.\d+', with: '' }] }`,
      '2026-01-05T13:00:00.75+01:00',
    ],
    ['a constant of a mapping', "created_at: { constant: '2026-01-05T13:00:00+01:00' }"],
    [
      'a table of a mapping',
      "created_at: { column: body, lookup: { 'Moved out': '2026-01-05T13:00:00+01:00' } }",
    ],
  ])(
    '[C117] an instant with another offset is sent as UTC by %s',
    async (_, field, created_at = '2026-01-05T13:00:00+01:00') => {
      const site = await badInputSite();
      const cells = { body: 'Moved out', created_at };
      const file = site.csv('n.csv', notes(cells).trimEnd());
      if (field !== undefined)
        writeFileSync(
          `${file}.map.yaml`,
          `version: 1
resource: notes
fields:
  import_supplier: { constant: ACME }
  external_account_number: external_account_number
  body: body
  ${field}
`,
        );
      const preview = await site.cli('check', 'notes', file, '--line', '2', '--json');
      expect(preview.json()).toMatchObject({
        record: { created_at: '2026-01-05T12:00:00Z' },
        request: { body: { notes: [{ created_at: '2026-01-05T12:00:00Z' }] } },
      });
      expect((await site.cli('push', 'notes', file)).exitCode).toBe(0);
      expect((await site.ledger())[0]!.data['created_at']).toBe('2026-01-05T12:00:00Z');
    },
  );

  test('[C125] one instant written with two offsets is one note', () =>
    expectAnswer({
      says: '',
      resource: 'notes',
      file: notes(
        { body: 'Moved out', created_at: '2026-01-05T12:00:00Z' },
        { body: 'Moved out', created_at: '2026-01-05T13:00:00+01:00' },
      ),
      errors: [],
      warnings: ['identical_notes'],
      landed: 1,
    }));
});

describe('sizes', () => {
  test('[C044] [C132] a note of 1 MB is sent, and requests are cut by bytes', async () => {
    const site = await badInputSite();
    const rows = Array.from({ length: 3 }, (_, index) => ({ body: `${index}${'x'.repeat(1024 * 1024)}` }));
    const file = site.csv('n.csv', notes(...rows).trimEnd());
    const { exitCode, json } = await site.cli('push', 'notes', file, '--json');
    expect({ exitCode, requests: json()['requests'] }).toMatchObject({ exitCode: 0, requests: { total: 3 } });
  });

  test('[C078] [C079] one account with many rows, and many accounts with one row, are sent in order', async () => {
    const site = await badInputSite();
    const rows = Array.from({ length: 600 }, () => ({}));
    const file = site.csv('t.csv', transactions(...rows).trimEnd());
    expect((await site.cli('push', 'transactions', file)).exitCode).toBe(0);
    const ids = (await site.ledger()).map(({ data }) => data['transaction_id']);
    expect(ids).toEqual(rows.map((_, index) => `T-${index + 1}`));
    const accounts = Array.from({ length: 600 }, (_, index) => ({
      external_account_number: `N${index}`,
      transaction_id: `N-${index}`,
    }));
    const many = site.csv('m.csv', transactions(...accounts).trimEnd());
    const { json } = await site.cli('push', 'transactions', many, '--dry-run', '--json');
    expect(json()).toMatchObject({ rows: { read: 600, not_sent: 600 }, accounts: { total: 600 } });
  });
});
