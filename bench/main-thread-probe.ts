// Preloaded into a server process: reports to its parent how long the main thread was blocked.
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/**
 * What one phase did to the main thread. `longestWallMs` counts the time in which other processes had the processor;
 * `longestCpuMs` is the most that the thread itself computed without a pause.
 */
export type MainThreadReport = {
  longestWallMs: number;
  longestCpuMs: number;
  /** The highest of `monitorEventLoopDelay`. */
  longestDelayMs: number;
  /** The share of the time in which the loop was not idle, 0 to 1. */
  utilization: number;
};

const tickMs = 2;
const delays = monitorEventLoopDelay({ resolution: 1 });
let usage = performance.eventLoopUtilization();
let longest = { wallMs: 0, cpuMs: 0 };
let last = { at: performance.now(), cpu: 0 };

function recordTick(): void {
  const { user, system } = process.threadCpuUsage();
  const now = { at: performance.now(), cpu: (user + system) / 1000 };
  longest = {
    wallMs: Math.max(longest.wallMs, now.at - last.at - tickMs),
    cpuMs: Math.max(longest.cpuMs, now.cpu - last.cpu),
  };
  last = now;
}

function begin(): void {
  recordTick();
  delays.reset();
  usage = performance.eventLoopUtilization();
  longest = { wallMs: 0, cpuMs: 0 };
}

function report(): MainThreadReport {
  recordTick();
  return {
    longestWallMs: longest.wallMs,
    longestCpuMs: longest.cpuMs,
    longestDelayMs: delays.max / 1e6,
    utilization: performance.eventLoopUtilization(usage).utilization,
  };
}

// A preloaded file runs in worker threads too, which have their own loops.
if (isMainThread && process.send) {
  delays.enable();
  setInterval(recordTick, tickMs).unref();
  process.on('message', (message) => {
    if (message === 'begin') begin();
    process.send?.(message === 'report' ? report() : message);
  });
  process.channel?.unref();
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
}
