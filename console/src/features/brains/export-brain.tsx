import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { Button } from '../../design/button.tsx';
import { tell, tellFailure } from '../../design/toasts.tsx';
import { exportBrain, type Brain } from './requests.ts';

/** Gathers everything a brain holds and gives it to the browser as a file. */
export function ExportBrain({ brain }: { brain: Brain }) {
  const exporting = useMutation({
    mutationFn: () => exportBrain(brain.id),
    onSuccess: (file) => {
      save(file, `${brain.name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').toLowerCase()}.jsonl`);
      tell('Exported', `${Math.ceil(file.size / 1_000).toLocaleString()} kB`);
    },
    onError: (error) => tellFailure('Not exported', error),
  });
  return (
    <Button
      icon={<Download className="size-4" aria-hidden />}
      isBusy={exporting.isPending}
      onClick={() => exporting.mutate()}
    >
      Export
    </Button>
  );
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
