import { Unlink } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { DrawerSection } from '../../design/drawer-section.tsx';
import { notifyUndoable } from '../../design/toasts.tsx';
import { linkMemories, unlinkMemories, type MemoryLink } from './curation-requests.ts';
import { MemoryLine } from './memory-line.tsx';
import { linkSeenFrom } from './relation-words.ts';
import type { Memory } from './requests.ts';
import { useCall } from '../../design/use-call.ts';

type Props = { memory: Memory; links: readonly MemoryLink[]; mayWrite: boolean; onOpen: (id: string) => void };

const shownAtFirst = 6;

/** What a memory is linked with, and how. Those that somebody stated or that contradict it come first. */
export function MemoryLinks({ memory, links, mayWrite, onOpen }: Props) {
  const [isWhole, setIsWhole] = useState(false);
  const unlinking = useUnlinking();
  if (!links.length) return null;
  const weight = ({ origin }: MemoryLink) => (origin === 'automatic' ? 1 : 0);
  const ordered = links.toSorted((one, other) => weight(one) - weight(other));
  return (
    <DrawerSection title={`Links (${links.length})`}>
      <ul className="divide-y divide-line rounded-xl border border-line text-sm">
        {(isWhole ? ordered : ordered.slice(0, shownAtFirst)).map((link) => {
          const { otherId, words } = linkSeenFrom(memory.id, link);
          return (
            <li key={`${link.source_memory_id} ${link.target_memory_id} ${link.relationship_type}`}>
              <div className="flex items-start gap-2 py-2 pr-1.5 pl-3.5">
                <div className="min-w-0 flex-1">
                  <p className="text-xs text-faint">
                    <span className={link.relationship_type === 'conflicts_with' ? 'font-medium text-stop' : ''}>
                      {words}
                    </span>
                    {link.origin === 'automatic' && ' · linked automatically'}
                    {link.origin === 'detected' && ' · detected automatically'}
                    {link.reason && `: ${link.reason}`}
                  </p>
                  <MemoryLine id={otherId} onOpen={onOpen} />
                </div>
                {mayWrite && (
                  <Button
                    look="quiet"
                    size="small"
                    aria-label={`Remove link: ${words}`}
                    title="Remove link"
                    disabled={unlinking.isBusy}
                    onClick={() => unlinking.call(link)}
                    icon={<Unlink className="size-3.5" aria-hidden />}
                  />
                )}
              </div>
            </li>
          );
        })}
      </ul>
      {!isWhole && ordered.length > shownAtFirst && (
        <Button look="quiet" size="small" className="mt-1" onClick={() => setIsWhole(true)}>
          Show {ordered.length - shownAtFirst} more
        </Button>
      )}
    </DrawerSection>
  );
}

function useUnlinking() {
  const linking = useCall(linkMemories, { refreshes: ['memory'], failure: 'Not linked again' });
  return useCall(
    ({ source_memory_id, target_memory_id, relationship_type }: MemoryLink) =>
      unlinkMemories({ source_memory_id, target_memory_id, relationship_type }),
    {
      refreshes: ['memory'],
      onSuccess: (_answer, { source_memory_id, target_memory_id, relationship_type }) =>
        notifyUndoable('Link removed', 'Both memories stay.', () =>
          linking.call({ source_memory_id, target_memory_id, relationship_type }),
        ),
      failure: 'The link was not removed',
    },
  );
}
