export { databaseTime, fromNow } from './clock.ts';
export { checkPrepared } from './check-prepared.ts';
export { checkTenancy } from './check-tenancy.ts';
export { appConnection, appPool, kyselyOn, ownerConnection, ownerPool, type Connection } from './connect.ts';
export { keepStatistics } from './keep-statistics.ts';
export { admitLogin, describeLogin } from './login.ts';
export { MigrationDialect, migrate, migratedTables, migrateTo, migrationNames } from './migrate.ts';
export { findRunningPostgres } from './embedded/index.ts';
export { createReadiness } from './readiness.ts';
export { renewIds } from './renew-ids.ts';
export { json, storable, storableText } from './storable.ts';
export { joinDatabase, joinOrMakeDatabase, openDatabase, type OpenDatabase } from './open.ts';
export {
  asSystem,
  createTransactions,
  enterWorkspace,
  inWorkspace,
  presentHash,
  presenting,
  readPresented,
  seeingWorkspaces,
  writePresented,
} from './transactions.ts';
export { workspacesBy } from './workspaces-by.ts';
export { watchWrites, type WatchedTransactions } from './watch-writes.ts';
