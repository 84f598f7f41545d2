import type { Database } from 'better-sqlite3';

/** The ways in which asking the vendor for an instruction fails. */
export const VENDOR_FAILURES = ['persistent', 'intermittent'] as const;
export type VendorFailure = (typeof VENDOR_FAILURES)[number];

export interface VendorInstruction {
  readonly vendor: string;
  readonly reference: string;
  readonly type: string;
  /** Undefined when asking for it never fails. */
  readonly fails: VendorFailure | undefined;
  /** How often an intermittent failure occurs for each account before it succeeds. */
  readonly times: number;
}

/** An instruction as the admin API shows it. */
type ListedInstruction = Omit<InstructionRow, 'vendor'>;

export function vendorsIn(database: Database) {
  const put = database.prepare<[string]>('INSERT INTO vendors (code) VALUES (?) ON CONFLICT DO NOTHING');
  const putInstruction = database.prepare<[string, string, string, VendorFailure | null, number]>(`
    INSERT INTO vendor_instructions (vendor, reference, type, fails, times) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (vendor, reference) DO UPDATE SET type = excluded.type, fails = excluded.fails, times = excluded.times`);
  const has = database.prepare<[string], 1>('SELECT 1 FROM vendors WHERE code = ?').pluck();
  const instruction = database.prepare<[string, string], InstructionRow>(
    'SELECT vendor, reference, type, fails, times FROM vendor_instructions WHERE vendor = ? AND reference = ?',
  );
  const codes = database.prepare<[], string>('SELECT code FROM vendors ORDER BY code').pluck();
  const ofVendor = database.prepare<[string], ListedInstruction>(
    'SELECT reference, type, fails, times FROM vendor_instructions WHERE vendor = ? ORDER BY reference',
  );
  const countFailure = database.prepare<[number, string, string, number]>(`
    INSERT INTO vendor_failures (account_id, vendor, reference, failures) VALUES (?, ?, ?, 1)
    ON CONFLICT (account_id, vendor, reference) DO UPDATE SET failures = failures + 1 WHERE failures < ?`);
  const forgetFailures = database.prepare<[]>('DELETE FROM vendor_failures');

  return {
    put: (code: string) => void put.run(code),
    putInstruction: ({ vendor, reference, type, fails, times }: VendorInstruction) =>
      void putInstruction.run(vendor, reference, type, fails ?? null, times),
    has: (code: string) => has.get(code) !== undefined,
    instruction: (vendor: string, reference: string) => {
      const row = instruction.get(vendor, reference);
      return row && { ...row, fails: row.fails ?? undefined };
    },
    /** Counts one more failure and returns true, unless the instruction has failed `times` times for the account. */
    countFailure: (accountId: number, { vendor, reference, times }: VendorInstruction) =>
      countFailure.run(accountId, vendor, reference, times).changes === 1,
    forgetFailures: () => void forgetFailures.run(),
    codes: () => codes.all(),
    /** By code, each with its instructions. */
    all: () => codes.all().map((code) => ({ code, instructions: ofVendor.all(code) })),
  };
}

type InstructionRow = Omit<VendorInstruction, 'fails'> & { readonly fails: VendorFailure | null };
