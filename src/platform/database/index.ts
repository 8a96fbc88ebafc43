export { databaseTime, fromNow } from './clock.ts';
export { appConnection, appPool, kyselyOn, ownerConnection, ownerPool, type Connection } from './connect.ts';
export { keepStatistics } from './keep-statistics.ts';
export { migrate, migratedTables, migrateTo, migrationNames } from './migrate.ts';
export { json, storable, storableText } from './storable.ts';
export { joinDatabase, joinOrMakeDatabase, openDatabase } from './open.ts';
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
