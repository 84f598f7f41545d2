// The declarations of this file import no package: see public.ts.

/** An entry of a seed. Its fields are checked when a platform reads it, with the path of each that is wrong. */
type Entry = Readonly<Record<string, unknown>>;
type Entries = readonly Entry[] | undefined;

/**
 * What a seed file contains, as an object: the setup of a platform before a migration (docs/serve-reference.md, "Seeds";
 * `dataimport schema seed`).
 */
export interface SeedDocument {
  /** The version of the format. Default: 1. */
  readonly version?: 1 | undefined;
  /** Keys that tokens are issued for. A key without `suppliers` may use all suppliers. */
  readonly api_keys?: Entries;
  readonly suppliers?: Entries;
  readonly accounts?: Entries;
  readonly vendors?: Entries;
  /** Decisions where the interface leaves the answer open, as `--behaviour` takes them. */
  readonly behaviour?: readonly string[] | undefined;
  /** Default: every code exists. */
  readonly product_codes?: readonly string[] | undefined;
  /** Closes enums: values that are not listed are refused. */
  readonly enums?: Entry | undefined;
}
