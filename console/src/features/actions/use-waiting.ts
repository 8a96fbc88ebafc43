import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useNow } from '../../design/time.tsx';
import { groupDraftLines } from './groups.ts';
import { ambiguousQuery, pendingQuery, waitingQuery } from './requests.ts';
import { readNewer } from './waiting.ts';

/** The drafts that need a person, in list order, kept current. */
export function useWaiting() {
  const list = useInfiniteQuery(waitingQuery);
  const { data: head } = useQuery(pendingQuery);
  const { data: ambiguous = [] } = useQuery(ambiguousQuery);
  const queryClient = useQueryClient();
  const hasRead = list.isSuccess;
  useEffect(() => {
    if (head && hasRead) void readNewer(queryClient, head).catch(() => {}); // the next answer tries again
  }, [head, hasRead, queryClient]);
  const now = useNow(15_000).getTime();
  const pages = list.data?.pages;
  const lines = useMemo(
    () =>
      groupDraftLines(
        (pages ?? []).flatMap(({ drafts }) => drafts.filter(({ expires_at }) => Date.parse(expires_at) > now)),
      ),
    [pages, now],
  );
  const drafts = useMemo(
    () => [...ambiguous, ...lines.flatMap((line) => (line.kind === 'draft' ? [line.draft] : []))],
    [ambiguous, lines],
  );
  const places = useMemo(() => new Map(drafts.map(({ draft_id }, place) => [draft_id, place])), [drafts]);
  return { list, ambiguous, lines, drafts, places, total: head?.total ?? 0 };
}
