// Starts the PostgreSQL of a run of vitest, and tells the workers where it is.
import type { TestProject } from 'vitest/node';
import type { TestConnection } from './databases.ts';
import { startRunCluster } from './run-cluster.ts';

declare module 'vitest' {
  // Only an interface can be merged into Vitest's own.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface ProvidedContext {
    postgres: TestConnection;
  }
}

/** Returns what ends it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { connection, stop } = await startRunCluster();
  project.provide('postgres', connection);
  return stop;
}
