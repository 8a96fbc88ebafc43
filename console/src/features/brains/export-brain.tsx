import { Download } from 'lucide-react';
import { Button } from '../../design/button.tsx';
import { useCall } from '../../design/use-call.ts';
import { exportArchive } from './archive-requests.ts';
import type { Brain } from '../../entities/brains.ts';
import { useProgress } from './use-progress.ts';

/** Gathers everything a brain holds and gives it to the browser as a file. */
export function ExportBrain({ brain }: { brain: Brain }) {
  const { progress, begin, end, cancel } = useProgress();
  const exporting = useCall(() => exportArchive(brain.id, begin()).finally(end), {
    success: (file) => ['Exported', `${Math.ceil(file.size / 1_000).toLocaleString()} kB`],
    failure: 'Not exported',
    onSuccess: (file) => save(file, `${brain.name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').toLowerCase()}.jsonl`),
  });
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button
        icon={<Download className="size-4" aria-hidden />}
        isBusy={exporting.isBusy}
        onClick={() => exporting.call()}
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
