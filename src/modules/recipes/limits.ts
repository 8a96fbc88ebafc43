/** Limits of recipes. */
export const limits = {
  manifestBytes: 1_000_000,
  inputs: 50,
  parts: 100,
  dependencies: 50,
  /** How deep dependencies and parts may be nested. */
  levels: 8,
  recipesPerInstall: 200,
  endpoints: 20,
  previewBytes: 300_000,
  recipesPerWorkspace: 1_000,
  versionsPerRecipe: 200,
} as const;
