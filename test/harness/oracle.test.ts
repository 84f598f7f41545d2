import { describe, expect, test } from 'vitest';
import { sourceFiles, specifiersOf } from '../support/source-tree.ts';
import { csvRows } from './oracle/csv-rows.ts';
import { actualLedger, expectedLedger, givenInstants, type OracleFile } from './oracle/oracle.ts';
import { RuledAccount } from './oracle/rules.ts';

const PERIOD = { from: '2026-01-01', to: '2026-06-30' };
const HEAD = 'import_supplier,external_account_number';

const file = (resource: OracleFile['resource'], columns: string, ...rows: readonly string[]): OracleFile => ({
  resource,
  text: [`${HEAD},${columns}`, ...rows.map((row) => `ACME,${row}`), ''].join('\n'),
});

const ledgerOf = (...files: readonly OracleFile[]): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    expectedLedger(
      files,
      new Map([
        ['1', PERIOD],
        ['2', undefined],
      ]),
    ),
  );

describe('the oracle', () => {
  test('shares no code with the product', () => {
    const outside = sourceFiles('test/harness/oracle').flatMap((source) =>
      specifiersOf(source).filter((specifier) => !/^\.\/[\w-]+\.ts$/.test(specifier)),
    );
    expect(outside).toEqual([]);
  });

  test('parses cells by RFC 4180', () => {
    expect(csvRows('\uFEFFa,b,c\r\n"x, ""y""\nz",,1.50\n')).toEqual([{ a: 'x, "y"\nz', c: '1.50' }]);
    expect(csvRows('a,b\n1,\n,2')).toEqual([{ a: '1' }, { b: '2' }]);
  });

  test('keeps the order of each account and kind', () => {
    const ledger = ledgerOf(file('statements', 'statement_id', '2,S-2', '1,S-9', '2,S-1'));
    expect(ledger).toEqual({
      '1 statement': ['statement_id=S-9'],
      '2 statement': ['statement_id=S-2', 'statement_id=S-1'],
    });
  });

  test('treats notes with the same body and instant as one, however the instant is written', () => {
    const rows = [
      '1,Hello,2025-03-05T18:48:16Z',
      '1,Hello,2025-03-05T19:48:16+01:00',
      '1,Hello,2025-03-05T18:48:17Z',
      '1,Hello,',
      '1,Bye,',
      '1,Bye,',
    ];
    expect(ledgerOf(file('notes', 'body,created_at', ...rows))['1 note']).toEqual([
      'body=Hello\ncreated_at=2025-03-05T18:48:16Z',
      'body=Hello\ncreated_at=2025-03-05T18:48:17Z',
      'body=Bye\ncreated_at=(by the clock)',
    ]);
  });

  test('moves transactions to the nearest day of the open period, and pins a note about the move', () => {
    const ledger = ledgerOf(
      file(
        'transactions',
        'transaction_id,transaction_date,type,amount,note',
        '1,T-1,2026-07-01,CHARGE,1.5,why',
        '2,T-1,2026-07-01,CHARGE,1.5,',
      ),
    );
    expect(ledger['1 transaction']).toEqual([
      [
        'amount=1.50',
        'note=why Date changed from 2026-07-01 to 2026-06-30: outside the open statement period.',
        'transaction_date=2026-06-30',
        'transaction_id=T-1',
        'type=CHARGE',
      ].join('\n'),
    ]);
    expect(ledger['1 note']).toHaveLength(1);
    expect(ledger['2 transaction']![0]).toContain('transaction_date=2026-07-01');
    expect(ledger['2 note']).toBeUndefined();
  });

  test('keeps the first transaction of an id, and adds it again when the check is off', () => {
    const account = new RuledAccount();
    const charge = (digits: string) => ({
      transaction_id: 'T-1',
      transaction_date: '2026-01-05',
      amount: { digits },
    });
    const [first, other] = [charge('1'), charge('2')];
    expect(account.add('transaction', first)).toBe('added');
    expect(account.add('transaction', other)).toBe('existing');
    expect(account.add('transaction', other, { check: false, force: true })).toBe('added');
    expect(account.stored.map(({ record }) => record['amount'])).toEqual([{ digits: '1' }, { digits: '2' }]);
  });

  test('keeps one instruction for each account', () => {
    const rows = ['1,STRIPE,pi_1,CARD', '1,STRIPE,pi_2,CARD'];
    expect(ledgerOf(file('payment-instructions', 'vendor,reference,type', ...rows))).toEqual({
      '1 payment_instruction': ['reference=pi_1\ntype=CARD\nvendor=STRIPE'],
    });
  });

  test('spells amounts and numbers of files and ledgers alike', () => {
    const given = file(
      'transactions',
      'transaction_id,transaction_date,amount,tax_items',
      '2,T-1,2026-01-05,53.2,"[{""rate"": 0.210}]"',
    );
    const line = {
      seq: 1,
      kind: 'transaction',
      import_supplier: 'ACME',
      external_account_number: '2',
      data: {
        transaction_id: 'T-1',
        transaction_date: '2026-01-05',
        amount: '53.20',
        tax_items: [{ rate: '0.21' }],
      },
    };
    const actual = actualLedger(`${JSON.stringify(line)}\n`, givenInstants([given]));
    expect(Object.fromEntries(actual)).toEqual(ledgerOf(given));
  });
});
