// Starts the process that reads a file, and kills it when it exceeds a limit.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildChildCommand } from './child-command.ts';
import { createDamagedFileError, FileError } from './file-error.ts';
import type { Task } from './task.ts';

const main = fileURLToPath(new URL('child.ts', import.meta.url));
const watchMs = 50;
const pageBytes = 4_096;
const longestStderr = 2_000;

/** Resolves when the process has written its answer. Throws `FileError` when it was killed by a limit. */
export async function runChild(task: Task): Promise<void> {
  const { file, args } = buildChildCommand({
    main,
    args: [JSON.stringify(task)],
    reads: [dirname(task.path)],
    writes: [dirname(task.out)],
    memoryBytes: task.limits.memoryBytes,
    cpuSeconds: Math.ceil(task.limits.ms / 1000) * 4,
  });
  const child = spawn(file, args, { cwd: '/', env: {}, detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr = `${stderr}${text}`.slice(-longestStderr)));
  let ended: FileError | null = null;
  const end = (error: FileError) => {
    ended ??= error;
    kill(child.pid);
  };
  const deadline = setTimeout(() => end(createTimeoutError(task.limits.ms)), task.limits.ms);
  const watch = setInterval(() => {
    if (child.pid !== undefined && readResidentBytes(child.pid) > task.limits.memoryBytes) end(createMemoryError());
  }, watchMs);
  try {
    const code = await new Promise<number | null>((resolve, reject) => child.on('close', resolve).on('error', reject));
    if (ended) throw ended;
    if (code === 0) return;
    if (/Cannot find|ERR_MODULE|ERR_ACCESS|SyntaxError/.test(stderr)) throw new Error(stderr);
    // V8 ends the process by a signal when its heap is full; so do the limits of the kernel.
    throw code === null ? createMemoryError() : createDamagedFileError();
  } finally {
    clearTimeout(deadline);
    clearInterval(watch);
    kill(child.pid);
  }
}

/** 0 where the system does not report it. */
function readResidentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * pageBytes;
  } catch {
    return 0;
  }
}

function kill(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The process has ended.
  }
}

function createTimeoutError(ms: number): FileError {
  return new FileError(
    `Reading the file took longer than ${Math.round(ms / 1000)} seconds. Split it, or save its text.`,
  );
}

function createMemoryError(): FileError {
  return new FileError('The file takes too much memory to read. Split it, or save its text.', 'payload_too_large');
}
