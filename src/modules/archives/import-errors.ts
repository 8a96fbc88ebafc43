import { AppError } from '#kernel/errors';

/** What PostgreSQL says of rows that do not fit, by its code (PostgreSQL, appendix A). */
const said: Readonly<Record<string, string>> = {
  '23503': 'Something in the archive points to a thing that is not in it.',
  '23505': 'Two things in the archive, or one of it and one that is here, have the same id or name.',
  '23514': 'A value in the archive is not one of those that are possible.',
  '23502': 'A value is missing in the archive.',
};

/** An error of the database about rows of an archive, as the caller is told it; every other error as it is. */
export function toImportError(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  const code = String(error.code);
  const text = said[code] ?? (code.startsWith('22') ? 'A value in the archive cannot be stored.' : null);
  if (text === null) return error;
  const table = 'table' in error && typeof error.table === 'string' ? ` It is in ${error.table}.` : '';
  return new AppError('invalid_input', `${text}${table} Nothing was imported.`, {}, { cause: error });
}
