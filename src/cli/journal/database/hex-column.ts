/** A column as hexadecimal digits in SQL, so that it can contain any character; `-` for NULL. */
export const hexColumn = (column: string): string => `iif(${column} IS NULL, '-', lower(hex(${column})))`;

/** A text as `hexColumn` gives it. */
export const hexOf = (text: string | null | undefined): string =>
  text === null || text === undefined ? '-' : Buffer.from(text).toString('hex');
