/** The limits of one run. Exceeding one ends the run, except for output, which is cut. */
export type Limits = {
  wallMs: number;
  cpuMs: number;
  /** Of the whole process, including its own needs. */
  memoryMb: number;
  /** Kept of each of the two streams; the rest is cut with a mark. */
  outputBytes: number;
  /** The total of the process: output, calls and result together. */
  totalBytes: number;
  /** One message: a call with its input, or the result. */
  messageBytes: number;
  openCalls: number;
  calls: number;
};

export const defaultLimits: Limits = {
  wallMs: 60_000,
  cpuMs: 60_000,
  memoryMb: 400,
  outputBytes: 256_000,
  totalBytes: 64_000_000,
  messageBytes: 2_000_000,
  openCalls: 64,
  calls: 10_000,
};

/** Why a run was ended before its code had ended, as people read it. */
export const endings = {
  wall_limit: 'It ran longer than it may.',
  cpu_limit: 'It used more processor time than it may.',
  memory_limit: 'It used more memory than it may.',
  output_limit: 'It wrote more than a run may write.',
  call_limit: 'It made more calls than a run may make, or did not read their answers.',
  protocol: 'It sent a message that is too large, or nested too deep.',
  aborted: 'It was stopped.',
  exited: 'Its process ended before the code had.',
} as const;

export type RunEnding = keyof typeof endings;
