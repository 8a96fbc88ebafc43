import { useQuery } from '@tanstack/react-query';
import { TextField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import type { FormFields } from '../../design/form-fields.ts';
import { approversQuery, addDelegate, type NewNaming } from './approver-requests.ts';
import { policyQuery } from './policy-requests.ts';

/** Adds somebody who may decide about a person's drafts. */
export function ApproverDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Add approver"
      description="Your drafts appear in their inbox too. They can approve or decline them."
      act="Add"
      run={(fields) => addDelegate(parseNaming(fields))}
      refreshes={[approversQuery.queryKey]}
      success={({ name }) => ['Approver added', `${name} can approve your drafts from now on.`]}
    >
      <TextField label="Mail address" name="email" type="email" required placeholder="name@company.com" />
      <Sources />
      <TextField label="Last day" name="day" type="date" hint="Leave empty to end it yourself." />
    </FormDialog>
  );
}

/** Which drafts: an empty choice means all. */
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
function parseNaming({ readText, data }: FormFields): NewNaming {
  const sources = data.getAll('sources').map(String);
  const day = readText('day');
  return {
    email: readText('email'),
    ...(sources.length && { sources }),
    ...(day && { until: new Date(`${day}T23:59:59`).toISOString() }),
  };
}
