import { TriangleAlert } from 'lucide-react';
import { findDangerMark } from './draft-words.ts';
import type { Draft } from './requests.ts';

/** Marks a draft that needs a second look; hovering shows its reasons. */
export function DangerMark({ draft }: { draft: Pick<Draft, 'danger'> }) {
  const mark = findDangerMark(draft);
  if (mark === null) return null;
  return (
    <span
      title={draft.danger.map(({ says }) => says).join(' ')}
      className="flex shrink-0 items-center gap-1 font-medium text-stop"
    >
      <TriangleAlert className="size-3" aria-hidden />
      {mark}
    </span>
  );
}
