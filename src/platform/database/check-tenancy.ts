// Proves at the start that this server's transactions see only one workspace. A pooler, or a changed role, can break
// that without any error.
import { appRole } from '#platform/binding';
import { DatabaseError } from 'pg';
import { sql, type Kysely } from 'kysely';
import { readPresented } from './transactions.ts';

type TransactionReport = { role: string; timeout: string; open_tables: number; is_bound: boolean };

/**
 * Opens a transaction like every call does. Throws with instructions unless it has the role and the time limits, and
 * row level security applies to every table.
 */
export async function checkTenancy(db: Kysely<unknown>): Promise<void> {
  const report = await readPresented(db, '', async (inner) => {
    const { rows } = await sql<TransactionReport>`
      select current_user as role, current_setting('statement_timeout') as timeout,
        row_security_active('people') as is_bound,
        (select count(*) from pg_attribute join pg_class on pg_class.oid = attrelid
          where relnamespace = 'public'::regnamespace and relkind = 'r' and attname = 'workspace_id' and not attisdropped
            and not row_security_active(pg_class.oid)) as open_tables`.execute(inner);
    return rows[0];
  }).catch((error: unknown) => {
    throw toAdvice(error);
  });
  if (report?.role !== appRole || report.timeout === '0')
    throw new Error(
      `The database does not keep the role and time limits of a transaction (it runs as ${report?.role}). A pooler must work in transaction mode or session mode.`,
    );
  if (!report.is_bound || report.open_tables)
    throw new Error(
      `Row level security does not apply to the role ${appRole} in ${report.open_tables} tables, so workspaces would see each other's data. Run as a superuser: alter role ${appRole} nosuperuser nobypassrls; and enable row level security again where it was disabled.`,
    );
}

function toAdvice(error: unknown): unknown {
  const isRefused = error instanceof DatabaseError && error.code === '42501';
  if (!isRefused) return error;
  const advice = `Run as a superuser: grant ${appRole} to the login of DATABASE_URL; or set THALAMUS_OWNER_DATABASE_URL, and the server grants it.`;
  return new Error(`The login of DATABASE_URL may not act as the role ${appRole}. ${advice}`, { cause: error });
}
