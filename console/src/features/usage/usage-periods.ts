/** Of how many days usage can be shown. */
export const usagePeriods = [7, 30, 90] as const;
export type UsageAddress = { period?: (typeof usagePeriods)[number] | undefined };
