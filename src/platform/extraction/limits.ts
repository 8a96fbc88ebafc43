/** The limits of one file. */
export type Limits = {
  /** Time limit of the process. */
  ms: number;
  /** Memory limit of the process. */
  memoryBytes: number;
  pages: number;
  unpackedBytes: number;
  characters: number;
};

export const usualLimits: Limits = {
  ms: 60_000,
  memoryBytes: 1_200_000_000,
  pages: 3_000,
  unpackedBytes: 200_000_000,
  characters: 120_000_000,
};

/** Up to this many bytes a file is short. */
const shortFile = 1_000_000;
const shortLimits = { ms: 10_000, memoryBytes: 600_000_000 };

/** The limits of a file by its size: a short file that needs much was made to slow the server down. */
export function limitBySize(bytes: number, limits: Limits): Limits {
  if (bytes >= shortFile) return limits;
  const { ms, memoryBytes } = shortLimits;
  return { ...limits, ms: Math.min(limits.ms, ms), memoryBytes: Math.min(limits.memoryBytes, memoryBytes) };
}
