/** The periods of usage, in days. */
export const usagePeriods = [7, 30, 90] as const;
export type UsageAddress = { period?: (typeof usagePeriods)[number] | undefined };
