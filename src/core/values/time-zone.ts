/** Whether a name is a time zone such as `Europe/London`. A fixed offset is none, because it would be wrong for half of the year. */
export function isTimeZone(name: string): boolean {
  // The default skips the list of all zones, whose loading takes half as long as the start of Node.
  if (name === 'UTC') return true;
  if (/^[+-]/.test(name)) return false;
  try {
    Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
