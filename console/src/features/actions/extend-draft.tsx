import { useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { formatErrorMessage } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { SelectField } from '../../design/field.tsx';
import { Notice } from '../../design/states.tsx';
import { formatExactMoment, useNow } from '../../design/time.tsx';
import { buildActionQuery, extendAction, type Draft } from './requests.ts';
import { replaceWaiting } from './waiting.ts';
import { listWaits } from './waits.ts';
import { useCall } from '../../design/use-call.ts';

/** Lets a waiting draft wait longer. Not shown for an expired draft, or one that waits as long as a draft may. */
export function ExtendDraft({ draft }: { draft: Draft }) {
  const [isOpen, setIsOpen] = useState(false);
  const now = useNow(15_000).getTime();
  const waits = listWaits(draft, now);
  if (Date.parse(draft.expires_at) <= now || (!waits.length && !isOpen)) return null;
  return (
    <>
      <Button look="quiet" size="small" onClick={() => setIsOpen(true)}>
        Extend
      </Button>
      <ExtendDialog draft={draft} waits={waits} isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </>
  );
}

type DialogProps = { draft: Draft; waits: ReturnType<typeof listWaits>; isOpen: boolean; onClose: () => void };

function ExtendDialog({ draft, waits, isOpen, onClose }: DialogProps) {
  const extending = useExtend(draft.draft_id, close);
  function close() {
    extending.reset();
    onClose();
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    extending.call(Number(new FormData(event.currentTarget).get('minutes')));
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title="Extend this draft"
      description={`It waits until ${formatExactMoment(draft.expires_at)}. A draft waits 7 days at most from when it was drafted.`}
    >
      <form onSubmit={submit} className="mt-2 space-y-4">
        <SelectField
          label="Wait from now"
          name="minutes"
          defaultValue={waits.find(({ minutes }) => minutes > 60)?.minutes}
        >
          {waits.map(({ minutes, label }) => (
            <option key={minutes} value={minutes}>
              {label}
            </option>
          ))}
        </SelectField>
        {extending.error && <Notice tone="stop">{formatErrorMessage(extending.error)}</Notice>}
        <div className="flex justify-end gap-2">
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={extending.isBusy}>
            Extend draft
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function useExtend(draftId: string, onDone: () => void) {
  const client = useQueryClient();
  return useCall((minutes: number) => extendAction(draftId, minutes), {
    refreshes: ['actions'],
    success: (draft) => ['Draft extended', `It waits until ${formatExactMoment(draft.expires_at)}.`],
    onSuccess: (draft) => {
      client.setQueryData(buildActionQuery(draftId).queryKey, (action) => action && { ...action, ...draft });
      replaceWaiting(client, [draft]);
      onDone();
    },
  });
}
