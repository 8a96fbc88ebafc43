// How much memory and processor time a process has used, if the system reports it.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/** Bytes that are resident now, and milliseconds of processor time since its start. */
export type ProcessUse = { residentBytes: number; cpuMs: number };

const pageBytes = 4_096;
const msPerTick = 10;

/** The resource use of a process; null when it has ended or the system reports nothing. */
export async function readProcessUse(pid: number): Promise<ProcessUse | null> {
  return process.platform === 'linux' ? readProcUse(pid) : readPsUse(pid);
}

async function readProcUse(pid: number): Promise<ProcessUse | null> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'latin1');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return {
      residentBytes: Number(fields[21]) * pageBytes,
      cpuMs: (Number(fields[11]) + Number(fields[12])) * msPerTick,
    };
  } catch {
    return null; // it has ended
  }
}

function readPsUse(pid: number): Promise<ProcessUse | null> {
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'rss=,cputime=', '-p', String(pid)], (error, text) => {
      const [, kilobytes, minutes, seconds] = /(\d+)\s+(?:\d+:)?(\d+):([\d.]+)/.exec(error ? '' : text) ?? [];
      if (kilobytes === undefined) return resolve(null);
      resolve({ residentBytes: Number(kilobytes) * 1_024, cpuMs: (Number(minutes) * 60 + Number(seconds)) * 1_000 });
    });
  });
}
