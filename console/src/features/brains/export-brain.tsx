import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { Button } from '../../design/button.tsx';
import { notifySuccess, notifyFailure } from '../../design/toasts.tsx';
import { exportArchive } from './archive-requests.ts';
import type { Brain } from '../../entities/brains.ts';
import { useProgress } from './use-progress.ts';

/** Gathers everything a brain holds and gives it to the browser as a file. */
export function ExportBrain({ brain }: { brain: Brain }) {
  const { progress, begin, end, cancel } = useProgress();
  const exporting = useMutation({
    mutationFn: () => exportArchive(brain.id, begin()),
    onSettled: end,
    onSuccess: (file) => {
      save(file, `${brain.name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').toLowerCase()}.jsonl`);
      notifySuccess('Exported', `${Math.ceil(file.size / 1_000).toLocaleString()} kB`);
    },
    onError: (error) => {
      if (!(error instanceof DOMException && error.name === 'AbortError')) notifyFailure('Not exported', error);
    },
  });
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button
        icon={<Download className="size-4" aria-hidden />}
        isBusy={exporting.isPending}
        onClick={() => exporting.mutate()}
      >
        Export
      </Button>
      {progress && (
        <>
          <span role="status" className="text-sm text-soft">
            {progress.lines.toLocaleString()} lines
          </span>
          <Button look="quiet" onClick={cancel}>
            Cancel
          </Button>
        </>
      )}
    </div>
  );
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
