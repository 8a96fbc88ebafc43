import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ChevronDown, Layers } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { tell, tellFailure } from '../../design/toasts.tsx';
import { aimOf, headlineOf } from './draft-words.ts';
import { PayloadBody } from './payload-view.tsx';
import { confirmActions, discardActions, type Draft } from './requests.ts';

type Choice = 'approve' | 'decline';
const mostAtOnce = 50;

/** Decides about a batch at once; what is not shown whole has to be looked at one by one. */
export function BatchBar({ drafts }: { drafts: readonly Draft[] }) {
  const [choice, setChoice] = useState<Choice | null>(null);
  const mayApproveAll = drafts.length <= mostAtOnce && drafts.every(({ preview }) => preview.is_complete);
  return (
    <div className="flex flex-wrap items-center gap-2 bg-sunken px-4 py-2">
      <Layers className="size-4 text-faint" aria-hidden />
      <h2 className="flex-1 text-[13px] font-medium">{drafts.length} together</h2>
      <Button size="small" look="quiet" onClick={() => setChoice('decline')}>
        Decline all
      </Button>
      <Button
        size="small"
        look="plain"
        disabled={!mayApproveAll}
        title={mayApproveAll ? undefined : 'Too much to show at once: decide one by one.'}
        onClick={() => setChoice('approve')}
      >
        Approve all
      </Button>
      <Dialog
        isOpen={choice !== null}
        onClose={() => setChoice(null)}
        title={choice === 'decline' ? `Decline all ${drafts.length}?` : `Approve all ${drafts.length}?`}
        description={
          choice === 'decline'
            ? 'Nothing is sent.'
            : 'They go out one after the other. When one fails, the others still go.'
        }
      >
        {choice && <BatchForm drafts={drafts} choice={choice} onClose={() => setChoice(null)} />}
      </Dialog>
    </div>
  );
}

function BatchForm({ drafts, choice, onClose }: { drafts: readonly Draft[]; choice: Choice; onClose: () => void }) {
  const queryClient = useQueryClient();
  const deciding = useMutation({
    mutationFn: (draftIds: string[]) => (choice === 'approve' ? confirmActions : discardActions)(draftIds),
    onSuccess: ({ results }) => {
      const done = results.filter(({ status }) => status === 'confirmed' || status === 'discarded').length;
      const left = results.length - done;
      const verb = choice === 'approve' ? 'carried out' : 'declined';
      tell(`${done} ${verb}`, left ? `${left} were not; the history tells why.` : undefined);
      onClose();
    },
    onError: (error) => tellFailure('Not everything was decided', error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['actions'] }),
  });
  return (
    <>
      <ul className="max-h-[50dvh] divide-y divide-line overflow-y-auto rounded-xl border border-line text-sm">
        {drafts.map((draft) => (
          <li key={draft.draft_id}>
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
        ))}
      </ul>
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onClose}>Look again</Button>
        <Button
          look={choice === 'approve' ? 'go' : 'stop'}
          isBusy={deciding.isPending}
          onClick={() => deciding.mutate(drafts.map(({ draft_id }) => draft_id))}
        >
          {choice === 'approve' ? `Approve ${drafts.length}` : `Decline ${drafts.length}`}
        </Button>
      </div>
    </>
  );
}
