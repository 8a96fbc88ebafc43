// Starts the PostgreSQL of the journeys, and tells the workers where it is: their servers have databases of their own in it.
import { startRunCluster } from '../support/run-cluster.ts';
import { postgresSetting } from './thalamus.ts';

/** Returns what ends it. */
export default async function setup(): Promise<() => Promise<void>> {
  const { connection, stop } = await startRunCluster();
  process.env[postgresSetting] = JSON.stringify(connection);
  return stop;
}
