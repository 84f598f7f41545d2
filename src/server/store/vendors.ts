import type { Database } from 'better-sqlite3';

/** How asking the vendor for an instruction goes wrong. */
export const VENDOR_FAILURES = ['persistent', 'intermittent'] as const;
export type VendorFailure = (typeof VENDOR_FAILURES)[number];

/** An instruction that a payment vendor holds. */
export interface VendorInstruction {
  readonly vendor: string;
  readonly reference: string;
  readonly type: string;
  /** Undefined when the vendor answers at once. */
  readonly fails: VendorFailure | undefined;
  /** How often an intermittent failure occurs for each account before it goes well. */
  readonly times: number;
}

export interface Vendors {
  put(code: string): void;
  putInstruction(instruction: VendorInstruction): void;
  has(code: string): boolean;
  instruction(vendor: string, reference: string): VendorInstruction | undefined;
  /** Counts one more failure unless the instruction has failed `times` times for the account; says whether it counted. */
  countFailure(accountId: number, instruction: VendorInstruction): boolean;
  forgetFailures(): void;
  /** By code, each with the instructions that it holds. */
  all(): readonly { readonly code: string; readonly instructions: readonly ListedInstruction[] }[];
}

/** An instruction as the admin API shows it. */
type ListedInstruction = Omit<InstructionRow, 'vendor'>;

export function vendorsIn(database: Database): Vendors {
  const put = database.prepare<[string]>('INSERT INTO vendors (code) VALUES (?) ON CONFLICT DO NOTHING');
  const putInstruction = database.prepare<[string, string, string, VendorFailure | null, number]>(`
    INSERT INTO vendor_instructions (vendor, reference, type, fails, times) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (vendor, reference) DO UPDATE SET type = excluded.type, fails = excluded.fails, times = excluded.times`);
  const has = database.prepare<[string], 1>('SELECT 1 FROM vendors WHERE code = ?').pluck();
  const instruction = database.prepare<[string, string], InstructionRow>(
    'SELECT vendor, reference, type, fails, times FROM vendor_instructions WHERE vendor = ? AND reference = ?',
  );
  const codes = database.prepare<[], string>('SELECT code FROM vendors ORDER BY code').pluck();
  const heldBy = database.prepare<[string], ListedInstruction>(
    'SELECT reference, type, fails, times FROM vendor_instructions WHERE vendor = ? ORDER BY reference',
  );
  const countFailure = database.prepare<[number, string, string, number]>(`
    INSERT INTO vendor_failures (account_id, vendor, reference, failures) VALUES (?, ?, ?, 1)
    ON CONFLICT (account_id, vendor, reference) DO UPDATE SET failures = failures + 1 WHERE failures < ?`);
  const forgetFailures = database.prepare<[]>('DELETE FROM vendor_failures');

  return {
    put: (code) => {
      put.run(code);
    },
    putInstruction: ({ vendor, reference, type, fails, times }) => {
      putInstruction.run(vendor, reference, type, fails ?? null, times);
    },
    has: (code) => has.get(code) !== undefined,
    instruction: (vendor, reference) => {
      const row = instruction.get(vendor, reference);
      return row && { ...row, fails: row.fails ?? undefined };
    },
    countFailure: (accountId, { vendor, reference, times }) =>
      countFailure.run(accountId, vendor, reference, times).changes === 1,
    forgetFailures: () => {
      forgetFailures.run();
    },
    all: () => codes.all().map((code) => ({ code, instructions: heldBy.all(code) })),
  };
}

type InstructionRow = Omit<VendorInstruction, 'fails'> & { readonly fails: VendorFailure | null };
