import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { readEvents } from './event-stream.ts';
import { isOnline, subscribeOnline } from './online.ts';

/** The queries that an event invalidates, by the first part of their key. */
const staleAfter: Record<string, readonly string[]> = {
  'draft.created': ['actions'],
  'draft.edited': ['actions'],
  'draft.extended': ['actions'],
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
  'approver.changed': ['approvers', 'actions', 'waiting'],
  'notifications.changed': ['notifications'],
  'automation.changed': ['automations'],
  'automation_run.changed': ['automations'],
  'webhook_connector.changed': ['webhooks'],
  'board.changed': ['boards'],
  'workflow.changed': ['workflows'],
  'recipe.installed': ['recipes'],
  'recipe.upgraded': ['recipes'],
  'recipe.uninstalled': ['recipes'],
  'recipe.recovered': ['recipes'],
  'recipe.update_available': ['recipes'],
  'workflow.deadline_passed': ['workflows'],
  'people.changed': ['people', 'accounts', 'workspaces'],
  'brain.created': ['brains'],
  'brain.updated': ['brains'],
  'brain.members_changed': ['brains'],
  'brain.deleted': ['brains', 'memory', 'pages'],
};

/** How an event changes cached answers that are not fetched again, by event name. */
export type Changes = Readonly<
  Record<string, (queryClient: QueryClient, payload: Readonly<Record<string, unknown>>) => void>
>;

/**
 * Updates cached answers from the server's events while mounted. Returns whether the stream is open. Offline counts as
 * closed, because a browser may detect a dead stream late. `changes` must be stable.
 */
export function useLiveUpdates(changes: Changes): boolean {
  const queryClient = useQueryClient();
  const [isLive, setIsLive] = useState(false);
  const hasNetwork = useSyncExternalStore(subscribeOnline, isOnline);
  const hasOpened = useRef(false);
  useEffect(() => {
    if (!hasNetwork) return;
    const listening = new AbortController();
    void readEvents({
      signal: listening.signal,
      onOpen() {
        setIsLive(true);
        // The stream resumes where it broke off, but a restarted server may have lost that position.
        if (hasOpened.current) void queryClient.invalidateQueries();
        hasOpened.current = true;
      },
      onClose: () => setIsLive(false),
      onEvent(name, data) {
        for (const key of staleAfter[name] ?? []) void queryClient.invalidateQueries({ queryKey: [key] });
        changes[name]?.(queryClient, JSON.parse(data) as Record<string, unknown>); // an event's payload is an object
      },
    });
    return () => {
      listening.abort();
      setIsLive(false);
    };
  }, [queryClient, changes, hasNetwork]);
  return isLive;
}
