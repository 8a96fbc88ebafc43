// One sandbox process: lines in, lines out, and a guaranteed end. Every line from it is untrusted.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { buildCommand, environment, type ProcessOptions } from './deno.ts';

/** The listeners to a process during a run. */
export type Listener = {
  line(text: string): void;
  /** A line exceeded its limit. */
  tooLong(): void;
  bytes(count: number): void;
  stderr(text: string): void;
  ended(how: { code: number | null; signal: string | null }): void;
};

export type Child = {
  pid: number;
  /** Resolves when the process is ready for code; rejects when it ended before. */
  ready: Promise<void>;
  /** Whether this server keeps running for it. */
  keepAlive(isKeptAlive: boolean): void;
  listen(listener: Listener | null): void;
  /** Returns how many bytes wait because the process does not read. */
  send(message: object): number;
  /** Kills it with SIGKILL, with all processes it may have started, and resolves once it has ended. */
  kill(): Promise<void>;
  hasEnded(): boolean;
};

const longestLine = 4_000_000;

/** Starts a process. `first` is written to its stdin before any message. */
export function startChild(deno: string, special?: ProcessOptions, first?: Buffer): Child {
  const { file, args } = buildCommand(deno, special);
  const child = spawn(file, args, { cwd: '/', env: environment, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  const { resolve, reject, promise: ready } = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  let listener: Listener | null = null;
  let isEnded = false;
  let complaint = '';

  const end = (code: number | null, signal: string | null) => {
    if (isEnded) return;
    isEnded = true;
    reject(new Error(`Deno ended with ${signal ?? code}. ${complaint.slice(0, 500)}`));
    listener?.ended({ code, signal });
    ended.resolve();
  };
  child.on('error', (error) => {
    complaint = error.message;
    end(null, null);
  });
  child.on('close', end);
  child.stdin.on('error', () => {}); // it ended during the write
  if (first) child.stdin.write(first);
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (complaint.length < 2_000) complaint += text;
    listener?.stderr(text);
  });
  readLines(child, {
    bytes: (count) => listener?.bytes(count),
    tooLong: () => listener?.tooLong(),
    line: (text) => (listener ? listener.line(text) : text === '{"ready":true}' && resolve()),
  });
  ready.catch(() => {});
  // A process that waits in the pool must not keep the server alive; pipes are sockets, although their type does not
  // say so.
  const parts: object[] = [child, child.stdin, child.stdout, child.stderr];
  const handles = parts.filter(isHandle);
  const keepAlive = (isKeptAlive: boolean) =>
    handles.forEach((handle) => (isKeptAlive ? handle.ref() : handle.unref()));
  keepAlive(false);

  return {
    pid: child.pid ?? 0,
    ready,
    keepAlive,
    listen: (next) => void (listener = next),
    send(message) {
      child.stdin.write(`${JSON.stringify(message)}\n`);
      return child.stdin.writableLength;
    },
    async kill() {
      keepAlive(true);
      if (!isEnded && child.pid) {
        killGroup(child.pid);
        child.stdin.destroy();
      }
      await ended.promise;
    },
    hasEnded: () => isEnded,
  };
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The process has just ended.
  }
}

type Lines = Pick<Listener, 'line' | 'tooLong' | 'bytes'>;

function readLines({ stdout }: ChildProcessWithoutNullStreams, lines: Lines): void {
  let parts: Buffer[] = [];
  let size = 0;
  stdout.on('data', (chunk: Buffer) => {
    lines.bytes(chunk.length);
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      const line = size ? Buffer.concat([...parts, chunk.subarray(from, at)]) : chunk.subarray(from, at);
      [parts, size, from] = [[], 0, at + 1];
      lines.line(line.toString('utf8'));
    }
    size += chunk.length - from;
    if (size <= longestLine) return void (from < chunk.length && parts.push(chunk.subarray(from)));
    [parts, size] = [[], 0];
    lines.tooLong();
  });
}

type Handle = { ref(): void; unref(): void };

function isHandle(value: object): value is Handle {
  return 'ref' in value && 'unref' in value;
}
