import { Button } from '../../design/button.tsx';
import { DrawerSection } from '../../design/drawer-section.tsx';
import type { WholeMemory } from './curation-requests.ts';
import { MemoryLine } from './memory-line.tsx';
import type { Memory } from './requests.ts';
import { useCuration } from './use-curation.ts';

type Props = {
  memory: Memory;
  twins: WholeMemory['duplicates'];
  mayWrite: boolean;
  onOpen: (id: string) => void;
};

/** Duplicates of a memory. One of the two can be archived. */
export function MemoryTwins({ memory, twins, mayWrite, onOpen }: Props) {
  const { merging, dismissing } = useCuration();
  if (!twins.length) return null;
  return (
    <DrawerSection title="Duplicates">
      <ul className="divide-y divide-line rounded-xl border border-line text-sm">
        {twins.map(({ id, kind, similarity }) => (
          <li key={id} className="px-3.5 py-2.5">
            <p className="text-xs text-faint">{formatSimilarity(kind, similarity)}</p>
            <MemoryLine id={id} onOpen={onOpen} />
            {mayWrite && (
              <p className="mt-2 flex flex-wrap gap-2">
                <Button
                  size="small"
                  isBusy={merging.isBusy}
                  onClick={() => merging.call({ keep_id: memory.id, retire_ids: [id] })}
                >
                  Keep this one
                </Button>
                <Button
                  size="small"
                  look="quiet"
                  isBusy={dismissing.isBusy}
                  onClick={() => dismissing.call({ memory_id: memory.id, duplicate_of: id })}
                >
                  Keep both
                </Button>
              </p>
            )}
          </li>
        ))}
      </ul>
    </DrawerSection>
  );
}

/** The similarity of two memories, in words. Similar ones are never called equal. */
export function formatSimilarity(kind: 'exact' | 'near', similarity: number): string {
  return kind === 'exact' ? 'Same text' : `${Math.min(Math.round(similarity * 100), 99)} % same words`;
}
