import type { Caller } from '#kernel/caller';

/** No question takes as long: one that still runs then has lost its process. */
export const longestQuestionMs = 10 * 60_000;

/** Before when a question that is still running must have lost its process: none may take as long. */
export function computeOverdueBefore(now: Date): Date {
  return new Date(now.getTime() - longestQuestionMs);
}

/** Whose questions a caller sees: members their own, who administers the workspace everybody's, or those of one person. */
export function listVisiblePersonIds({ role, personId }: Caller, asked: string | undefined): string[] | undefined {
  if (role !== 'member') return asked === undefined ? undefined : [asked];
  return asked === undefined || asked === personId ? [personId] : [];
}

/** Dollars of millionths of a dollar. */
export function toDollars(microUsd: number): number {
  return microUsd / 1_000_000;
}
