import { Layers } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { PlainDialog } from '../../design/plain-dialog.tsx';
import { BatchForm, mostApproved } from './batch-form.tsx';
import type { Draft } from './requests.ts';
import type { BatchChoice } from './use-batch-decision.ts';

/** Decides about a whole batch. Drafts that are not shown in full must be decided one by one. */
export function BatchBar({ batchId, drafts }: { batchId: string; drafts: readonly Draft[] }) {
  const [choice, setChoice] = useState<BatchChoice | null>(null);
  const mayApproveAll = drafts.length <= mostApproved && drafts.every(({ preview }) => preview.is_complete);
  return (
    <div className="flex flex-wrap items-center gap-2 bg-sunken px-4 py-2">
      <Layers className="size-4 text-faint" aria-hidden />
      <h2 className="flex-1 text-[13px] font-medium">Batch of {drafts.length}</h2>
      <Button size="small" look="quiet" onClick={() => setChoice('decline')}>
        Decline all
      </Button>
      <Button
        size="small"
        look="plain"
        disabled={!mayApproveAll}
        title={mayApproveAll ? undefined : 'Too much to show at once. Approve or decline one by one.'}
        onClick={() => setChoice('approve')}
      >
        Approve all
      </Button>
      <PlainDialog
        isOpen={choice !== null}
        onClose={() => setChoice(null)}
        title={choice === 'decline' ? 'Decline the whole batch?' : 'Approve the whole batch?'}
        description={choice === 'decline' ? 'Nothing is sent.' : 'Sent one by one. A failure doesn’t stop the rest.'}
      >
        {choice && <BatchForm batchId={batchId} waiting={drafts} choice={choice} onClose={() => setChoice(null)} />}
      </PlainDialog>
    </div>
  );
}
