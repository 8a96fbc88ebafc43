import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { isCancelled } from '../../api/api-error.ts';
import { TextField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { Notice } from '../../design/states.tsx';
import { BrainField } from '../../entities/brain-field.tsx';
import { importArchive } from './archive-requests.ts';
import { useProgress } from './use-progress.ts';

/** Imports brains from an archive of this or another server. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const { progress, begin, end, cancel } = useProgress();
  const [wasCancelled, setWasCancelled] = useState(false);
  const noteCancelled = (error: unknown) => {
    setWasCancelled(isCancelled(error));
    throw error;
  };
  return (
    <FormDialog
      onClose={onClose}
      title="Import an archive"
      description="Choose a file from Export, or from `thalamus export`. If one line is wrong, nothing is imported."
      act="Import"
      run={({ readText, data }) => {
        setWasCancelled(false);
        // A required file field has a file.
        return importArchive(data.get('file') as File, readText('parent') || null, begin())
          .catch(noteCancelled)
          .finally(end);
      }}
      refreshes={[[]]}
      success={({ isNew }) => (isNew ? 'Archive imported' : 'This file was imported here before')}
      onSuccess={({ brain_ids: [brainId] }) =>
        void (brainId && navigate({ to: '/brains/$brainId', params: { brainId } }))
      }
      onCancel={progress ? cancel : undefined}
    >
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
    </FormDialog>
  );
}
