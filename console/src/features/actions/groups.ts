import type { Draft } from './requests.ts';

/** A line of the inbox: the heading of a batch, or a draft. */
export type Line =
  | { kind: 'batch'; key: string; batchId: string; drafts: readonly Draft[] }
  | { kind: 'draft'; key: string; draft: Draft; isOfBatch: boolean };

/** Groups the drafts of a batch at the position of its newest, in sending order. */
export function groupDraftLines(drafts: readonly Draft[]): Line[] {
  const groups = new Map<string, Draft[]>();
  for (const draft of drafts) {
    const key = draft.batch_id ?? draft.draft_id;
    const group = groups.get(key);
    if (group) group.push(draft);
    else groups.set(key, [draft]);
  }
  return [...groups].flatMap(([key, members]): Line[] => {
    if (members.length === 1) return members.map((draft) => toDraftLine(draft, false));
    const ordered = members.toSorted((one, other) => one.created_at.localeCompare(other.created_at));
    return [
      { kind: 'batch', key: `batch ${key}`, batchId: key, drafts: ordered },
      ...ordered.map((draft) => toDraftLine(draft, true)),
    ];
  });
}

function toDraftLine(draft: Draft, isOfBatch: boolean): Line {
  return { kind: 'draft', key: draft.draft_id, draft, isOfBatch };
}
