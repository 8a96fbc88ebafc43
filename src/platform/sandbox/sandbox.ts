// The only place where other people's code runs.
import { availableParallelism } from 'node:os';
import { createTurnsByKey } from '#platform/turns';
import { startChild } from './child.ts';
import { findInstalledDeno, SandboxUnavailable } from './deno.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { createPool, type Pool } from './pool.ts';
import { preparePython } from './python.ts';
import { runInChild, type RunRequest, type Host, type Result } from './run-in-child.ts';

export const languages = ['typescript', 'javascript', 'python'] as const;
export type Language = (typeof languages)[number];

/** What code runs for. Each kind has its own slots, so that idle code of one kind does not delay another. */
type SandboxKind = 'run' | 'test' | 'translation';
/** A turn of a kind of run. Turns rotate among people, by id. */
export type SandboxTurn = { kind: SandboxKind; of: string };

export type SandboxRun = {
  /** The person whose turn the run uses. Otherwise one person's code could delay that of others. */
  turn: SandboxTurn;
  source: string;
  language?: Language;
  /** The value of `args` in the code. */
  args?: unknown;
  /** The value of `env` in the code: names and handles, never a secret's value. */
  variables?: Readonly<Record<string, string>>;
  host: Host;
  /** The start of the code's clock; by default the real time. */
  clock?: Date;
  limits?: Partial<Limits>;
  /**
   * Runs of the same domain may share a process one after another, and may then see and change what an earlier run left
   * there. Without a domain each run has its own process.
   */
  domain?: string;
  /** Ends the run at once. */
  signal?: AbortSignal;
  /** Called with output as it arrives, cut at the same limit. */
  onOutput?: RunRequest['onOutput'];
};

/**
 * `run` resolves however the code ends, and rejects with `SandboxUnavailable` where nothing can run. `check` throws the
 * same error. `close` ends all runs.
 */
export type Sandbox = {
  run(run: SandboxRun): Promise<Result>;
  check(): Promise<string>;
  close(): Promise<void>;
};

/** The turn of the server's own check. */
const ofServer: SandboxTurn = { kind: 'run', of: 'server' };

/** Makes the sandbox. Starts no process before the first run. `findDeno` returns the program that runs the code. */
export function createSandbox(options: { findDeno?: () => string; mostAtOnce?: number } = {}): Sandbox {
  const { findDeno = findInstalledDeno, mostAtOnce = Math.max(4, availableParallelism() * 2) } = options;
  const inTurn = createSlots(mostAtOnce);
  let [scripts, python]: [Pool | null, Promise<Pool> | null] = [null, null];

  /** A Python process is large, so few are kept waiting. */
  function getPool(language: Language): Pool | Promise<Pool> {
    const deno = findDeno();
    if (language !== 'python') return (scripts ??= createPool(() => startChild(deno), { mostFresh: 8, mostUsed: 8 }));
    python ??= preparePython(deno).then((start) => createPool(start, { mostFresh: 1, mostUsed: 2 }));
    python.catch(() => (python = null));
    return python;
  }

  async function inPool(language: Language, asked: RunRequest, domain: string | null): Promise<Result> {
    const from = await getPool(language);
    const child = from.take(domain);
    child.keepAlive(true);
    try {
      await child.ready;
    } catch (cause) {
      throw new SandboxUnavailable(`Deno does not start here, so automations cannot run. ${String(cause)}`, { cause });
    }
    const result = await runInChild(child, asked);
    if (domain !== null && result.status !== 'killed') from.giveBack(child, domain);
    else await from.end(child);
    return result;
  }

  const run: Sandbox['run'] = ({ turn, ...given }) =>
    inTurn[turn.kind](turn.of, async () => {
      const { source, language = 'typescript', args, variables = {}, host, domain = null } = given;
      const { clock, signal, onOutput } = given;
      const limits = { ...defaultLimits, ...given.limits };
      return inPool(language, { source, language, args, variables, host, clock, limits, signal, onOutput }, domain);
    });

  return {
    run,
    async check() {
      const limits = { wallMs: 10_000 };
      const { status, value, error } = await run({ turn: ofServer, source: 'return "runs"', host: {}, limits });
      if (status !== 'succeeded' || value !== 'runs')
        throw new SandboxUnavailable(`Deno starts, but code does not run in it. ${error?.message ?? ''}`);
      return 'Deno runs automations';
    },
    async close() {
      await scripts?.close();
      await (await python?.catch(() => null))?.close();
    },
  };
}

/**
 * The runner already distributes its runs fairly. Tests and translations wait here: those of one person leave a slot
 * free for others.
 */
function createSlots(mostAtOnce: number): Readonly<Record<SandboxKind, ReturnType<typeof createTurnsByKey>>> {
  const fair = { atOnce: mostAtOnce, atOnceEach: Math.max(1, mostAtOnce - 1) };
  return {
    run: createTurnsByKey({ atOnce: 2 * mostAtOnce, waitingEach: 10_000 }),
    test: createTurnsByKey({ ...fair, waitingEach: 100 }),
    translation: createTurnsByKey({ ...fair, waitingEach: 10_000 }),
  };
}
