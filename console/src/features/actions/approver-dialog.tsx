import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { formatErrorMessage } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { TextField } from '../../design/field.tsx';
import { Notice } from '../../design/states.tsx';
import { approversQuery, addDelegate, type NewNaming } from './approver-requests.ts';
import { policyQuery } from './policy-requests.ts';
import { useCall } from '../../design/use-call.ts';

/** Names somebody who may decide about a person's drafts. */
export function ApproverDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const naming = useCall(addDelegate, {
    refreshes: [approversQuery.queryKey],
    success: ({ name }) => ['Approver added', `${name} can approve your drafts from now on.`],
    onSuccess: () => close(),
  });
  const close = () => {
    naming.reset();
    onClose();
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    naming.call(parseNaming(new FormData(event.currentTarget)));
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title="Add approver"
      description="Your drafts appear in their inbox too. They can approve or decline them."
    >
      <form onSubmit={submit} className="mt-2 space-y-4">
        <TextField label="Mail address" name="email" type="email" required placeholder="name@company.com" />
        <Sources />
        <TextField label="Last day" name="day" type="date" hint="Leave empty to end it yourself." />
        {naming.error && <Notice tone="stop">{formatErrorMessage(naming.error)}</Notice>}
        <div className="flex justify-end gap-2">
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={naming.isBusy}>
            Add
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Which drafts: none chosen means all. */
function Sources() {
  const { data: policy } = useQuery(policyQuery);
  const sources = [...new Set(policy?.actions.map(({ source }) => source))].toSorted();
  return (
    <fieldset>
      <legend className="mb-1.5 text-[13px] font-medium text-soft">Which drafts</legend>
      <div className="flex flex-wrap gap-1.5">
        {sources.map((source) => (
          <label
            key={source}
            className="cursor-pointer rounded-lg border border-edge px-2.5 py-1 text-[13px] text-soft transition-colors select-none not-has-checked:hover:bg-hover has-checked:border-ink has-checked:bg-ink has-checked:text-invert has-focus-visible:outline-2 has-focus-visible:outline-offset-2"
          >
            <input type="checkbox" name="sources" value={source} className="sr-only" />
            {source}
          </label>
        ))}
      </div>
      <p className="mt-1.5 text-[13px] text-faint">Choose none to include all drafts.</p>
    </fieldset>
  );
}

/** Days end in the person's time zone. */
function parseNaming(form: FormData): NewNaming {
  const sources = form.getAll('sources').map(String);
  const day = String(form.get('day') ?? '');
  return {
    email: String(form.get('email') ?? '').trim(),
    ...(sources.length && { sources }),
    ...(day && { until: new Date(`${day}T23:59:59`).toISOString() }),
  };
}
