// Puts a world and a dialect on a port, with a ledger and a desk for failures.
import { createFailures } from './failures.ts';
import type { Failures } from './failures.ts';
import { createLedger } from './ledger.ts';
import type { Ledger } from './ledger.ts';
import { listen } from './server.ts';
import type { Dialect } from './server.ts';
import type { World } from './wire.ts';

/** How every emulator can be started. */
export type EmulatorOptions = {
  /** A free port by default. */
  port?: number;
  /** The emulator's clock. */
  now?: () => Date;
};

/** What every running emulator has. */
export type Emulator = {
  /** `http://127.0.0.1:<port>`, the base of every path. */
  url: string;
  ledger: Ledger;
  failures: Failures;
  close(): Promise<void>;
};

/** Starts an emulator on the loopback. */
export async function startEmulator(
  world: World<unknown>,
  dialect: Dialect,
  options: EmulatorOptions,
): Promise<Emulator> {
  const ledger = createLedger();
  const failures = createFailures();
  const { close } = await listen({ world, dialect, ledger, failures, port: options.port });
  return { url: world.url, ledger, failures, close };
}
