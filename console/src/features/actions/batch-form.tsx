import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { Button } from '../../design/button.tsx';
import { ErrorState, Notice, Skeleton } from '../../design/states.tsx';
import { tell, tellFailure } from '../../design/toasts.tsx';
import { aimOf, headlineOf } from './draft-words.ts';
import { PayloadBody } from './payload-view.tsx';
import { batchQuery, confirmActions, discardActions, type Draft } from './requests.ts';
import { dropWaiting } from './waiting.ts';

export type BatchChoice = 'approve' | 'decline';

/** As many as the server sends at once, and a person can look through. */
export const mostApproved = 50;
const mostDeclinedAtOnce = 100;
const mostShown = 100;

type Props = { batchId: string; choice: BatchChoice; onClose: () => void };

/** The whole batch, read anew: the list beside may not have come to all of it. */
export function BatchForm({ batchId, choice, onClose }: Props) {
  const { data: drafts, error, isPending, refetch } = useQuery(batchQuery(batchId));
  if (isPending) return <Skeleton label="Reading the batch" />;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return <Decide drafts={drafts} choice={choice} onClose={onClose} />;
}

type DecideProps = { drafts: readonly Draft[]; choice: BatchChoice; onClose: () => void };

function Decide({ drafts, choice, onClose }: DecideProps) {
  const deciding = useBatchDecision(choice, onClose);
  const mayApprove = drafts.length <= mostApproved && drafts.every(({ preview }) => preview.is_complete);
  const isRefused = choice === 'approve' && !mayApprove;
  return (
    <>
      {isRefused && <Notice tone="wait">There is too much in it to be shown at once: decide one by one.</Notice>}
      <ul className="max-h-[50dvh] divide-y divide-line overflow-y-auto rounded-xl border border-line text-sm">
        {drafts.slice(0, mostShown).map((draft) => (
          <Member key={draft.draft_id} draft={draft} />
        ))}
        {drafts.length > mostShown && (
          <li className="px-3.5 py-2.5 text-soft">and {(drafts.length - mostShown).toLocaleString()} more</li>
        )}
      </ul>
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onClose}>Look again</Button>
        <Button
          look={choice === 'approve' ? 'go' : 'stop'}
          disabled={isRefused || !drafts.length}
          isBusy={deciding.isPending}
          onClick={() => deciding.mutate(drafts.map(({ draft_id }) => draft_id))}
        >
          {choice === 'approve' ? `Approve ${drafts.length}` : `Decline ${drafts.length}`}
        </Button>
      </div>
    </>
  );
}

function Member({ draft }: { draft: Draft }) {
  return (
    <li>
      <details className="group">
        <summary className="flex items-center gap-3 px-3.5 py-2.5 marker:content-none hover:bg-hover focus-visible:-outline-offset-2">
          <span className="min-w-0 flex-1">
            <span className="block truncate font-medium">{aimOf(draft)}</span>
            <span className="block truncate text-soft">{headlineOf(draft)}</span>
          </span>
          <ChevronDown className="size-4 text-faint transition-transform group-open:rotate-180" aria-hidden />
        </summary>
        <div className="border-t border-line bg-surface">
          <PayloadBody draft={draft} payload={draft.payload} />
        </div>
      </details>
    </li>
  );
}

function useBatchDecision(choice: BatchChoice, onClose: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (draftIds: string[]) => (choice === 'approve' ? approve(draftIds) : decline(draftIds)),
    onSuccess: (results) => {
      const done = results.filter(({ status }) => status === 'confirmed' || status === 'discarded');
      const left = results.length - done.length;
      const verb = choice === 'approve' ? 'carried out' : 'declined';
      tell(`${done.length} ${verb}`, left ? `${left} were not; the history tells why.` : undefined);
      dropWaiting(
        client,
        done.map(({ draft_id }) => draft_id),
      );
      onClose();
    },
    onError: (error) => tellFailure('Not everything was decided', error),
    onSettled: () => client.invalidateQueries({ queryKey: ['actions'] }),
  });
}

async function approve(draftIds: string[]) {
  return (await confirmActions(draftIds)).results;
}

async function decline(draftIds: string[]) {
  const results = [];
  for (let from = 0; from < draftIds.length; from += mostDeclinedAtOnce)
    results.push(...(await discardActions(draftIds.slice(from, from + mostDeclinedAtOnce))).results);
  return results;
}
