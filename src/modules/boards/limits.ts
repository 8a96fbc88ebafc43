/** Limits of boards, rows and fields. */
export const limits = {
  rowsPerDataset: 10_000,
  rowsPerCall: 1_000,
  bytesPerRow: 32_768,
  datasets: 50,
  columns: 100,
} as const;
