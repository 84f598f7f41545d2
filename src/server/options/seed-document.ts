// The declarations of this file import no package: see public.ts.

/** An entry with its required and its optional fields. */
type Entry<Required, Optional> = Readonly<Required> & {
  readonly [Name in keyof Optional]?: Optional[Name] | undefined;
};
type Values = readonly string[];

/** When the clock of the platform carries out the import of an account, and how it ends. Default: imported. */
type AutoImport = Entry<
  { after_seconds: number },
  { in_progress_after_seconds: number; ends: 'imported' | 'failed' }
>;

type Supplier = Entry<
  { code: string; name: string; status: 'Ongoing' | 'Paused' | 'Complete' },
  { document_root: string; documents: Values; auto_import: AutoImport }
>;
type Account = Entry<
  {
    import_supplier: string;
    external_account_number: string;
    state: 'staged' | 'in_progress' | 'imported' | 'failed';
  },
  { open_statement: { readonly from: string; readonly to: string }; auto_import: AutoImport }
>;
type Instruction = Entry<
  { reference: string; type: string },
  { fails: 'intermittent' | 'persistent'; times: number }
>;
type TransactionType = 'CHARGE' | 'CREDIT' | 'PAYMENT' | 'REPAYMENT' | 'SUPPLY_CHARGE';
type ValuesByType = Entry<object, Record<'every_type' | TransactionType, Values>>;

/** What a seed file contains, as an object: the setup of a platform before a migration (docs/serve-reference.md, "Seeds"). */
export type SeedDocument = Entry<
  object,
  {
    version: 1;
    api_keys: readonly Entry<{ key: string }, { suppliers: Values }>[];
    suppliers: readonly Supplier[];
    accounts: readonly Account[];
    vendors: readonly Entry<{ code: string }, { instructions: readonly Instruction[] }>[];
    behaviour: Values;
    product_codes: Values;
    enums: Entry<
      object,
      Record<'reason' | 'payment_type', ValuesByType> &
        Record<'rate_band' | 'tax_type' | 'unit_type' | 'instruction_type', Values>
    >;
  }
>;
