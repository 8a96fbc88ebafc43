import type { Caller } from '#kernel/caller';

/** No question takes longer: a question that is still running then has lost its process. */
export const longestQuestionMs = 10 * 60_000;

/** The time before which a question that is still running must have lost its process. */
export function computeOverdueBefore(now: Date): Date {
  return new Date(now.getTime() - longestQuestionMs);
}

/** The people whose questions a caller sees: members their own, administrators everybody's, or those of one person. */
export function listVisiblePersonIds({ role, personId }: Caller, asked: string | undefined): string[] | undefined {
  if (role !== 'member') return asked === undefined ? undefined : [asked];
  return asked === undefined || asked === personId ? [personId] : [];
}

/** Dollars from millionths of a dollar. */
export function toDollars(microUsd: number): number {
  return microUsd / 1_000_000;
}
