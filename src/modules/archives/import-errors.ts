import { AppError } from '#kernel/errors';

/** PostgreSQL's error codes for rows that do not fit (PostgreSQL, appendix A). */
const said: Readonly<Record<string, string>> = {
  '23503': 'Something in the archive refers to an item that is not in it.',
  '23505': 'Two items of the archive, or one of it and an existing one, have the same id or name.',
  '23514': 'A value in the archive is not allowed.',
  '23502': 'A value is missing in the archive.',
};

/** An error of the database about rows of an archive, in words for the caller; every other error unchanged. */
export function toImportError(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  const code = String(error.code);
  const text = said[code] ?? (code.startsWith('22') ? 'A value in the archive cannot be stored.' : null);
  if (text === null) return error;
  const table = 'table' in error && typeof error.table === 'string' ? `It is in ${error.table}.` : '';
  return new AppError('invalid_input', `${text}${table} Nothing was imported.`, {}, { cause: error });
}
