import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { SelectField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { formatExactMoment, useNow } from '../../design/time.tsx';
import { buildActionQuery, extendAction, type Draft } from './requests.ts';
import { replaceWaiting } from './waiting.ts';
import { listWaits } from './waits.ts';

/** Extends a waiting draft. Not shown for an expired draft, or one that already waits as long as possible. */
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
  const client = useQueryClient();
  const { draft_id } = draft;
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Extend this draft"
      description={`It waits until ${formatExactMoment(draft.expires_at)}. A draft waits 7 days at most from when it was drafted.`}
      act="Extend draft"
      run={({ readText }) => extendAction(draft_id, Number(readText('minutes')))}
      refreshes={['actions']}
      success={({ expires_at }) => ['Draft extended', `It waits until ${formatExactMoment(expires_at)}.`]}
      onSuccess={(extended) => {
        client.setQueryData(buildActionQuery(draft_id).queryKey, (action) => action && { ...action, ...extended });
        replaceWaiting(client, [extended]);
      }}
    >
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
    </FormDialog>
  );
}
