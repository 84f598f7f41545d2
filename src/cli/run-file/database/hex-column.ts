/** A column as hexadecimal digits in SQL, so that it can contain any character; `-` for NULL. */
export const hexColumn = (column: string): string => `iif(${column} IS NULL, '-', lower(hex(${column})))`;
