import { Archive, FolderInput, Link2, Pencil } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/field.tsx';
import { EditMemoryForm } from './edit-memory-form.tsx';
import { LinkMemoryForm } from './link-memory-form.tsx';
import { MoveMemoryForm } from './move-memory-form.tsx';
import type { Memory } from './requests.ts';
import { useCuration } from './use-curation.ts';

const actions = {
  edit: { label: 'Edit', icon: Pencil },
  link: { label: 'Link', icon: Link2 },
  move: { label: 'Move', icon: FolderInput },
  archive: { label: 'Archive', icon: Archive },
};
type Action = keyof typeof actions;
const names: readonly Action[] = ['edit', 'link', 'move', 'archive'];

/** What a person who may write can do with a memory; one form at a time. */
export function MemoryActions({ memory, onClose }: { memory: Memory; onClose: () => void }) {
  const [chosen, setChosen] = useState<Action | null>(null);
  const done = () => setChosen(null);
  if (!chosen)
    return (
      <div className="flex flex-wrap gap-2">
        {names.map((name) => {
          const { label, icon: Icon } = actions[name];
          return (
            <Button
              key={name}
              size="small"
              icon={<Icon className="size-3.5" aria-hidden />}
              onClick={() => setChosen(name)}
            >
              {label}
            </Button>
          );
        })}
      </div>
    );
  return (
    <div className="rounded-xl border border-line bg-sunken p-4">
      {chosen === 'edit' && <EditMemoryForm memory={memory} onDone={done} />}
      {chosen === 'link' && <LinkMemoryForm memory={memory} onDone={done} />}
      {chosen === 'move' && <MoveMemoryForm memory={memory} onDone={done} />}
      {chosen === 'archive' && <ArchiveForm id={memory.id} onDone={onClose} onCancel={done} />}
    </div>
  );
}

function ArchiveForm({ id, onDone, onCancel }: { id: string; onDone: () => void; onCancel: () => void }) {
  const [reason, setReason] = useState('');
  const { archiving } = useCuration();
  return (
    <form
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault();
        // Not in `mutate`'s own onSuccess: the server's event may come first, and take this form away.
        void archiving.callAsync({ id, ...(reason.trim() && { reason: reason.trim() }) }).then(onDone, () => undefined);
      }}
    >
      <TextField
        autoFocus
        label="Reason"
        placeholder="We switched to UCB"
        maxLength={2_000}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <div className="flex gap-2">
        <Button type="submit" look="stop" isBusy={archiving.isBusy}>
          Archive
        </Button>
        <Button look="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
