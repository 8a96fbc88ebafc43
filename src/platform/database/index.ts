export { readDatabaseTime, computeTimeFromNow } from './clock.ts';
export { checkPrepared } from './check-prepared.ts';
export { checkTenancy } from './check-tenancy.ts';
export {
  buildAppConnection,
  createAppPool,
  createKysely,
  buildOwnerConnection,
  createOwnerPool,
  type Connection,
} from './connect.ts';
export { keepStatistics } from './keep-statistics.ts';
export { admitLogin, describeLogin } from './login.ts';
export { MigrationDialect, migrate, listMigratedTables, migrateTo, listMigrationNames } from './migrate.ts';
export { findRunningPostgres } from './embedded/index.ts';
export { createReadiness } from './readiness.ts';
export { renewIds } from './renew-ids.ts';
export { toJsonColumn, toStorableJson, toStorableText } from './storable.ts';
export { joinDatabase, joinOrMakeDatabase, openDatabase, type OpenDatabase } from './open.ts';
export {
  runAsSystem,
  createTransactions,
  enterWorkspace,
  withWorkspaceBound,
  presentHash,
  withPresentedHashes,
  withVisibleUninstalled,
  readPresented,
  withVisibleWorkspaces,
  writePresented,
} from './transactions.ts';
export { queryWorkspaceIds } from './query-workspace-ids.ts';
export { watchWrites, type WatchedTransactions } from './watch-writes.ts';
