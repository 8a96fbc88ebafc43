/** Limits of boards, rows and fields. */
export const limits = {
  nameCharacters: 200,
  rowsPerDataset: 10_000,
  rowsPerCall: 1_000,
  bytesPerRow: 32_768,
  datasets: 50,
  columns: 100,
  rowsPerSkill: 50,
  formsPerBoard: 50,
  fieldsPerForm: 30,
  /** Pages of one form that are sent in a minute, by all senders. */
  formPagesPerMinute: 120,
  /** Texts of one form that the language model sorts on a day (UTC). */
  sortedTextsPerDay: 50,
  linksPerBoard: 50,
  rowIdCharacters: 200,
  /** Beyond these the oldest deleted rows of a dataset are removed permanently. */
  deletedRowsPerDataset: 10_000,
  daysToRestore: 7,
  /** The most bytes of rows in one answer. */
  bytesPerAnswer: 64 * 1_024 * 1_024,
} as const;
