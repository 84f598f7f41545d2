import * as z from 'zod/mini';

/**
 * For parsing with a schema whose own words are told to a person: `zod/mini` has no language, and says `Invalid input` of
 * whatever a schema brings no words for.
 */
export const IN_ENGLISH = { error: z.locales.en().localeError };
