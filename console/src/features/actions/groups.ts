import type { Draft } from './requests.ts';

/** Drafts that belong together, or one by itself. */
export type Group = { key: string; isBatch: boolean; drafts: Draft[] };

/** Puts the drafts of a batch together where its newest stands, in the order they were drafted and will be sent. */
export function groupsOf(drafts: readonly Draft[]): Group[] {
  const groups = new Map<string, Draft[]>();
  for (const draft of drafts) {
    const key = draft.batch_id ?? draft.draft_id;
    groups.set(key, [...(groups.get(key) ?? []), draft]);
  }
  return [...groups].map(([key, members]) => ({
    key,
    isBatch: members.length > 1,
    drafts: members.toSorted((one, other) => one.created_at.localeCompare(other.created_at)),
  }));
}
