// Runs the embedded PostgreSQL as the server would, in a process that tests can kill. Speaks JSON lines on its output.
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/index.ts';

const printLine = (line: unknown): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
const [dataDir = '', systemDir] = process.argv.slice(2);

try {
  const postgres = await startEmbeddedPostgres({
    dataDir,
    ...(systemDir && { systemDir }),
    settings: { fsync: 'off' },
    log: (log) => printLine({ log }),
  });
  process.once('SIGTERM', () => void postgres.stop());
  // As an uncaught error would end it.
  process.once('SIGUSR2', () => process.exit(1));
  printLine({ connection: postgres.connection });
} catch (error) {
  printLine({ refusal: error instanceof Error ? error.message : String(error) });
}
