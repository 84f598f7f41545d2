/** The documents that are in the file store, as somebody has listed them. */
export interface DocumentListing {
  /** The file of the listing, as it was typed. */
  readonly name: string;
  /** Whether a document is listed, below the root of the supplier or by its whole path. It counts as used then. */
  has(path: string): boolean;
  counts(): { readonly listed: number; readonly unused: number };
}
