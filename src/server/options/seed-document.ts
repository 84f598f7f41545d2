// The declarations of this file import no package: see public.ts.

/** When the clock of the platform carries out the import of an account, and how it ends. */
export interface AutoImport {
  readonly in_progress_after_seconds?: number | undefined;
  readonly after_seconds: number;
  /** Default: imported. */
  readonly ends?: 'imported' | 'failed' | undefined;
}

type Values = readonly string[];
type ValuesByType = {
  readonly [Type in 'every_type' | 'CHARGE' | 'CREDIT' | 'PAYMENT' | 'REPAYMENT' | 'SUPPLY_CHARGE']?:
    | Values
    | undefined;
};

/** What a seed file contains, as an object: the setup of a platform before a migration (docs/serve-reference.md, "Seeds"). */
export interface SeedDocument {
  /** The version of the format. Default: 1. */
  readonly version?: 1 | undefined;
  /** Keys that tokens are issued for. A key without `suppliers` may use all suppliers. */
  readonly api_keys?:
    | readonly { readonly key: string; readonly suppliers?: Values | undefined }[]
    | undefined;
  readonly suppliers?:
    | readonly {
        readonly code: string;
        readonly name: string;
        readonly status: 'Ongoing' | 'Paused' | 'Complete';
        readonly document_root?: string | undefined;
        /** The documents in its file store. Default: every document exists. */
        readonly documents?: Values | undefined;
        readonly auto_import?: AutoImport | undefined;
      }[]
    | undefined;
  readonly accounts?:
    | readonly {
        readonly import_supplier: string;
        readonly external_account_number: string;
        readonly state: 'staged' | 'in_progress' | 'imported' | 'failed';
        readonly open_statement?: { readonly from: string; readonly to: string } | undefined;
        readonly auto_import?: AutoImport | undefined;
      }[]
    | undefined;
  readonly vendors?:
    | readonly {
        readonly code: string;
        readonly instructions?:
          | readonly {
              readonly reference: string;
              readonly type: string;
              readonly fails?: 'intermittent' | 'persistent' | undefined;
              /** How often an `intermittent` instruction fails. */
              readonly times?: number | undefined;
            }[]
          | undefined;
      }[]
    | undefined;
  /** Decisions where the interface leaves the answer open, as `--behaviour` takes them. */
  readonly behaviour?: Values | undefined;
  /** Default: every code exists. */
  readonly product_codes?: Values | undefined;
  /** Closes enums: values that are not listed are refused. */
  readonly enums?:
    | {
        readonly reason?: ValuesByType | undefined;
        readonly payment_type?: ValuesByType | undefined;
        readonly rate_band?: Values | undefined;
        readonly tax_type?: Values | undefined;
        readonly unit_type?: Values | undefined;
        readonly instruction_type?: Values | undefined;
      }
    | undefined;
}
