/** Runs one child process as if it were this one: signals are passed in, and its exit code or signal is passed out. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** @typedef {{ code: number | null, signal: NodeJS.Signals | null }} Ending */

/** @type {NodeJS.Signals[]} */
const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Starts the child and waits. While it runs, this process does not die of a signal: the child decides when to stop.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @param {(pid: number) => void} [onStart]
 * @returns {Promise<Ending>}
 */
export function runChild(command, args, options, onStart) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, options);
    const listeners = forwarded.map((signal) => /** @type {const} */ ([signal, () => forward(child, signal)]));
    for (const [signal, listener] of listeners) process.on(signal, listener);
    const settle = () => listeners.forEach(([signal, listener]) => process.off(signal, listener));
    child.once('spawn', () => child.pid !== undefined && onStart?.(child.pid));
    child.once('error', (error) => (settle(), reject(error)));
    child.once('close', (code, signal) => (settle(), resolve({ code, signal })));
  });
}

/**
 * Ends this process as the child ended.
 * @param {Ending} ending
 */
export function endLike({ code, signal }) {
  if (!signal) process.exit(code ?? 1);
  process.kill(process.pid, signal);
  // A signal that this process survives (SIGCHLD, or an ignored one) must still end it.
  setTimeout(() => process.exit(128 + constants.signals[signal]), 1_000);
}

/**
 * A terminal sends Ctrl-C and hang-up to the whole process group, so the child has them already; a second one would
 * look like an impatient user and break its graceful stop.
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function forward(child, signal) {
  const sentByTerminal = signal !== 'SIGTERM' && process.stdin.isTTY;
  if (!sentByTerminal) child.kill(signal);
}
