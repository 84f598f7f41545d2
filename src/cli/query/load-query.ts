import { AppError } from '../../core/app-error.ts';

/**
 * Loads the database of queries, only where a mapping has one. An executable, and an installation without optional packages, come without it.
 * @throws AppError `query_database_missing`
 */
export async function loadQueries() {
  try {
    return await import('./query-source.ts');
  } catch (error) {
    if (String((error as NodeJS.ErrnoException).code).endsWith('NOT_FOUND'))
      throw new AppError('query_database_missing', {}, error);
    throw error;
  }
}
