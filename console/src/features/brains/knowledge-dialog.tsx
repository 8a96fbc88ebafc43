import type { FormEvent } from 'react';
import { formatErrorMessage } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { SelectField, TextArea, TextField } from '../../design/field.tsx';
import { Notice } from '../../design/states.tsx';
import { addKnowledge, type NewKnowledge } from './knowledge-requests.ts';
import type { Brain } from '../../entities/brains.ts';
import { useCall } from '../../design/use-call.ts';

/** The initial values. An empty section name creates a new one. */
export type Draft = Omit<NewKnowledge, 'brain_id'>;

type Props = { brain: Brain; draft: Draft | null; onClose: () => void };

/** Sets the core knowledge of a section, and replaces its former text. */
export function KnowledgeDialog({ brain, draft, onClose }: Props) {
  return (
    <Dialog
      isOpen={draft !== null}
      onClose={onClose}
      title={draft?.section ? 'Edit core knowledge' : 'Add core knowledge'}
      description={draft?.section ? 'The previous text stays in the history.' : undefined}
    >
      {draft && <KnowledgeForm brain={brain} draft={draft} onClose={onClose} />}
    </Dialog>
  );
}

function KnowledgeForm({ brain, draft, onClose }: { brain: Brain; draft: Draft; onClose: () => void }) {
  const adding = useCall(addKnowledge, {
    refreshes: [['brains', 'knowledge']],
    success: ({ replaced }) => [replaced ? 'Saved' : 'Added', 'Agents know it from their next session.'],
    onSuccess: onClose,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? '').trim();
    adding.call({
      brain_id: brain.id,
      section: draft.section || text('section'),
      content: text('content'),
      visibility: text('visibility') === 'local' ? 'local' : 'inherited',
    });
  };
  return (
    <form onSubmit={submit} className="space-y-4">
      {adding.error && <Notice tone="stop">{formatErrorMessage(adding.error)}</Notice>}
      {!draft.section && (
        <TextField label="Topic" name="section" required autoFocus maxLength={120} placeholder="writing_style" />
      )}
      <TextArea
        label="Text"
        name="content"
        required
        autoFocus={Boolean(draft.section)}
        maxLength={8_000}
        defaultValue={draft.content}
        placeholder="Write short sentences. Address customers by first name."
      />
      <SelectField label="Applies to" name="visibility" defaultValue={draft.visibility}>
        <option value="inherited">This brain and its sub-brains</option>
        <option value="local">This brain only</option>
      </SelectField>
      <div className="flex justify-end gap-2 pt-1">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" type="submit" isBusy={adding.isBusy}>
          Save
        </Button>
      </div>
    </form>
  );
}
