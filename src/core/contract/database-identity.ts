/** The header in which an answer names the database behind it. `dataimport serve` sends it, and no deployment is known to send it. */
export const DATABASE_HEADER = 'dataimport-database';

/** Names that are safe to store and to show. */
const NAME = /^[A-Za-z0-9._-]{1,64}$/;

/** The database that an answer names. Null when it names none, or names it in another form. Header names are in lower case. */
export function databaseNamedIn(headers: Readonly<Record<string, string>>): string | null {
  const name = headers[DATABASE_HEADER];
  return name !== undefined && NAME.test(name) ? name : null;
}
