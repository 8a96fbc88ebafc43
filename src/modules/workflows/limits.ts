/** Limits of workflows. */
export const limits = {
  charterCharacters: 20_000,
  roster: 50,
  kpis: 30,
  deadlines: 50,
  automations: 50,
  automationsPerCall: 10,
} as const;
