/** The limits of one run. Exceeding one ends the run, except for output, which is cut. */
export type Limits = {
  wallMs: number;
  cpuMs: number;
  /** Memory of the whole process, including what it needs itself. */
  memoryMb: number;
  /** How much of each of the two streams is kept; the rest is cut with a mark. */
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

/** Why a run was ended early, in words for people. */
export const endings = {
  wall_limit: 'It ran longer than allowed.',
  cpu_limit: 'It used more processor time than allowed.',
  memory_limit: 'It used more memory than allowed.',
  output_limit: 'It wrote more output than allowed.',
  call_limit: 'It made more calls than allowed, or did not read their answers.',
  protocol: 'It sent a message that was too large, or too deeply nested.',
  aborted: 'It was stopped.',
  exited: 'Its process ended before the code did.',
} as const;

export type RunEnding = keyof typeof endings;
