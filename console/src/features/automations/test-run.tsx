import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { tellFailure } from '../../design/toasts.tsx';
import { RunView } from './run-view.tsx';
import { runOnce } from './requests.ts';

/** Runs the active version, by default as a dry run. */
export function TestRun({ automationId, isEnded }: { automationId: string; isEnded: boolean }) {
  const queryClient = useQueryClient();
  const [runId, setRunId] = useState<string | null>(null);
  const run = useMutation({
    mutationFn: (dry_run: boolean) => runOnce({ automation_id: automationId, dry_run }),
    onSuccess: ({ run_id }) => {
      setRunId(run_id);
      return queryClient.invalidateQueries({ queryKey: ['automations', 'runs', automationId] });
    },
    onError: (error) => tellFailure('The automation did not run', error),
  });
  if (isEnded) return null;
  return (
    <Section
      title="Test run"
      lead="A dry run shows what would leave Thalamus, and drafts nothing."
      action={
        <div className="flex gap-2">
          <Button look="primary" isBusy={run.isPending} onClick={() => run.mutate(true)}>
            Dry run
          </Button>
          <Button disabled={run.isPending} onClick={() => run.mutate(false)}>
            Run now
          </Button>
        </div>
      }
    >
      {runId && (
        <Card className="p-5">
          <RunView runId={runId} />
        </Card>
      )}
    </Section>
  );
}
