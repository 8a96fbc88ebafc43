import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { formatErrorMessage } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { TextField } from '../../design/field.tsx';
import { Notice } from '../../design/states.tsx';
import { notifySuccess } from '../../design/toasts.tsx';
import { importArchive } from './archive-requests.ts';
import { BrainField } from '../../entities/brain-field.tsx';
import { useProgress } from './use-progress.ts';

/** Imports brains from an archive of this or another server. */
export function ImportDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Import an archive"
      description="Choose a file from Export, or from `thalamus export`. If one line is wrong, nothing is imported."
    >
      <ImportForm onClose={onClose} />
    </Dialog>
  );
}

function ImportForm({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { progress, begin, end, cancel } = useProgress();
  const importing = useMutation({
    mutationFn: ({ file, parent }: { file: File; parent: string | null }) => importArchive(file, parent, begin()),
    onSettled: end,
    onSuccess: ({ brain_ids: [brainId], isNew }) => {
      notifySuccess(isNew ? 'Archive imported' : 'This file was imported here before');
      onClose();
      if (brainId) void navigate({ to: '/brains/$brainId', params: { brainId } });
      return queryClient.invalidateQueries();
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [file, parent] = [form.get('file'), String(form.get('parent') ?? '')];
    if (file instanceof File) importing.mutate({ file, parent: parent || null });
  };
  const wasCancelled = importing.error instanceof DOMException && importing.error.name === 'AbortError';
  return (
    <form onSubmit={submit} className="mt-2 space-y-4">
      {importing.isError && !wasCancelled && <Notice tone="stop">{formatErrorMessage(importing.error)}</Notice>}
      {wasCancelled && (
        <Notice tone="plain">Cancelled. Nothing was imported. Choose the same file again to continue.</Notice>
      )}
      <TextField label="Archive" name="file" type="file" accept=".jsonl" required className="py-1.5" />
      <BrainField isParent label="Parent brain" name="parent" defaultValue="">
        <option value="">None</option>
      </BrainField>
      {progress && (
        <div>
          <progress
            aria-label="Import"
            max={progress.of ?? 1}
            value={progress.of === null ? undefined : progress.lines}
            className="h-1.5 w-full overflow-hidden rounded-full accent-go"
          />
          <p role="status" className="mt-1 text-sm text-soft">
            {progress.of === null
              ? 'Reading the file'
              : `${progress.lines.toLocaleString()} of ${progress.of.toLocaleString()} lines`}
          </p>
        </div>
      )}
      <div className="flex justify-end gap-2 pt-1">
        <Button onClick={progress ? cancel : onClose}>Cancel</Button>
        <Button look="primary" type="submit" isBusy={importing.isPending}>
          Import
        </Button>
      </div>
    </form>
  );
}
