/** The limits of one file. */
export type Limits = {
  /** Wall time of the process. */
  ms: number;
  /** The memory of the process. */
  memoryBytes: number;
  pages: number;
  unpackedBytes: number;
  characters: number;
};

export const usualLimits: Limits = {
  ms: 60_000,
  memoryBytes: 1_500_000_000,
  pages: 3_000,
  unpackedBytes: 200_000_000,
  characters: 120_000_000,
};
