export { findRunningPostgres, hasCluster } from './find-running.ts';
export { startEmbeddedPostgres } from './start.ts';
export type { EmbeddedPostgres, EmbeddedPostgresOptions } from './start.ts';
