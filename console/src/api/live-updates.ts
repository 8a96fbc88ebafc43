import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

/** Which answers an event of the server makes old, by the first part of their query key. */
const staleAfter: Record<string, readonly string[]> = {
  'draft.created': ['actions'],
  'draft.decided': ['actions'],
  'policy.changed': ['actions'],
  'memory.stored': ['memory'],
  'memory.archived': ['memory'],
  'memory.restored': ['memory'],
  'memory.merged': ['memory'],
  'memory.corrected': ['memory'],
  'memory.moved': ['memory'],
  'integration.changed': ['integrations', 'connections', 'telegram'],
  'sync.changed': ['syncs'],
  'telegram.changed': ['telegram'],
  'page.ingested': ['pages'],
  'variable.changed': ['variables'],
  'brain.created': ['brains'],
  'brain.updated': ['brains'],
  'brain.members_changed': ['brains'],
  'brain.deleted': ['brains', 'memory', 'pages'],
};

/** Keeps what is shown in step with the server while mounted. Answers whether the stream is open. */
export function useLiveUpdates(): boolean {
  const queryClient = useQueryClient();
  const [isLive, setIsLive] = useState(false);
  useEffect(() => {
    let hasOpened = false;
    const stream = new EventSource('/v1/events');
    stream.addEventListener('open', () => {
      setIsLive(true);
      // The stream goes on where it broke off, but a server that started anew may have forgotten where that was.
      if (hasOpened) void queryClient.invalidateQueries();
      hasOpened = true;
    });
    stream.addEventListener('error', () => setIsLive(false));
    for (const [event, keys] of Object.entries(staleAfter)) {
      stream.addEventListener(event, () => {
        for (const key of keys) void queryClient.invalidateQueries({ queryKey: [key] });
      });
    }
    return () => stream.close();
  }, [queryClient]);
  return isLive;
}
