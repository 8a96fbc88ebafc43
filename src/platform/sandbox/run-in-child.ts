// One run in a process: passes the code, answers its calls, enforces its limits.
import { randomUUID } from 'node:crypto';
import type { Child } from './child.ts';
import { endings, type RunEnding, type Limits } from './limits.ts';
import { readProcessUse } from './process-use.ts';
import { readMessage, type CallMessage, type CodeError } from './read-message.ts';

/**
 * The operations that code may request, by name. A method's parameters come from the code and must be checked like any
 * outside input.
 */
export type Host = Readonly<Record<string, (params: unknown, signal: AbortSignal) => Promise<unknown>>>;

export type RunRequest = {
  source: string;
  language: string;
  args: unknown;
  variables: Readonly<Record<string, string>>;
  host: Host;
  clock?: Date | undefined;
  limits: Limits;
  signal?: AbortSignal | undefined;
  onOutput?: ((stream: 'stdout' | 'stderr', text: string) => void) | undefined;
};

export type Result = {
  status: 'succeeded' | 'failed' | 'killed';
  /** Why the run was ended early; null when the code ended by itself. */
  reason: RunEnding | null;
  value: unknown;
  error: CodeError | null;
  exitCode: number | null;
  stdout: string;
  stderr: string;
  durationMs: number;
};

const watchMs = 50;
const mostUnread = 8_000_000;

/** Runs a script. Resolves when the code has ended, or its process was killed. */
export function runInChild(child: Child, asked: RunRequest): Promise<Result> {
  return new Promise((resolve) => begin(child, asked, resolve));
}

function begin(child: Child, asked: RunRequest, resolve: (result: Result) => void): void {
  const { limits, signal } = asked;
  const id = randomUUID();
  const startedAt = performance.now();
  const over = new AbortController();
  const output = { stdout: createKept(limits.outputBytes), stderr: createKept(limits.outputBytes) };
  let received = 0;
  let reason: RunEnding | null = null;
  let isOver = false;

  function finish(rest: Pick<Result, 'status' | 'value' | 'error' | 'exitCode'>): void {
    if (isOver) return;
    isOver = true;
    over.abort();
    clearTimeout(wall);
    clearInterval(watch);
    signal?.removeEventListener('abort', abort);
    child.listen(null);
    const durationMs = Math.round(performance.now() - startedAt);
    resolve({ ...rest, reason, stdout: output.stdout.text(), stderr: output.stderr.text(), durationMs });
  }

  function end(why: RunEnding): void {
    if (isOver || reason) return;
    reason = why;
    over.abort();
    void child.kill();
  }

  function write(stream: 'stdout' | 'stderr', text: string): void {
    const kept = output[stream].add(text);
    if (kept) asked.onOutput?.(stream, kept);
  }

  const abort = () => end('aborted');
  const wall = setTimeout(() => end('wall_limit'), limits.wallMs);
  const watch = watchUse(child.pid, limits, end);
  const answer = createAnswering(child, asked, over.signal, end);

  function take(text: string): void {
    if (reason) return;
    if (text.length > limits.messageBytes) return end('protocol');
    const message = readMessage(text, id);
    if (message.kind === 'unfit') return end('protocol');
    if (message.kind === 'raw') return write('stdout', `${text}\n`);
    if (message.kind === 'output') return write(message.stream, message.text);
    if (message.kind === 'call') return void answer(message);
    const { error } = message;
    finish({ status: error ? 'failed' : 'succeeded', value: message.value, error, exitCode: error ? 1 : 0 });
  }

  child.listen({
    bytes: (count) => (received += count) > limits.totalBytes && end('output_limit'),
    tooLong: () => end('protocol'),
    line: take,
    stderr: (text) => write('stderr', text),
    ended({ code }) {
      reason ??= /out of memory|memory allocation/i.test(output.stderr.text()) ? 'memory_limit' : 'exited';
      finish({ status: 'killed', value: null, error: { name: 'Killed', message: endings[reason] }, exitCode: code });
    },
  });
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  const { source, language, args, variables, clock } = asked;
  child.send({ run: id, source, language, args: args ?? null, variables, ...(clock && { clock: clock.getTime() }) });
}

/** Answers calls, with a limit on concurrent calls and on their total. */
function createAnswering(child: Child, { host, limits }: RunRequest, over: AbortSignal, end: (why: RunEnding) => void) {
  let [calls, open] = [0, 0];
  return async function answer({ call, method, params }: CallMessage): Promise<void> {
    calls += 1;
    open += 1;
    if (calls > limits.calls || open > limits.openCalls) return end('call_limit');
    const reply = await callHost(host, method, params, over);
    open -= 1;
    if (!over.aborted && child.send({ reply: call, ...reply }) > mostUnread) end('call_limit');
  };
}

/** The answer to a call for the code: its result, or an error. */
async function callHost(host: Host, method: string, params: unknown, signal: AbortSignal): Promise<object> {
  const run = Object.hasOwn(host, method) ? host[method] : undefined;
  try {
    if (!run) throw new Error(`There is nothing called ${method.slice(0, 60)} here.`);
    return { ok: (await run(params, signal)) ?? null };
  } catch (thrown) {
    const { message, code, details } = thrown as Partial<Error & { code: string; details: unknown }>;
    return {
      error: { message: message ?? 'The call failed.', ...(code && { code }), ...(details ? { details } : {}) },
    };
  }
}

function watchUse(pid: number, limits: Limits, end: (why: RunEnding) => void): NodeJS.Timeout {
  let before: number | null = null;
  const timer = setInterval(async () => {
    const use = await readProcessUse(pid);
    if (!use) return;
    before ??= use.cpuMs;
    if (use.residentBytes > limits.memoryMb * 1_000_000) end('memory_limit');
    if (use.cpuMs - before > limits.cpuMs) end('cpu_limit');
  }, watchMs);
  timer.unref();
  return timer;
}

/** Collects text up to a limit, with a mark where it was cut. `add` returns the kept part. */
function createKept(limit: number) {
  const parts: string[] = [];
  let size = 0;
  return {
    add(text: string): string {
      if (size > limit) return '';
      const room = limit - size;
      size += text.length;
      const kept = text.length <= room ? text : `${text.slice(0, room)}\n… cut after ${limit} characters\n`;
      parts.push(kept);
      return kept;
    },
    text: () => parts.join(''),
  };
}
