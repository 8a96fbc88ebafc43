import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { tellFailure } from '../../design/toasts.tsx';
import { RunView } from './run-view.tsx';
import { runOnce, runsQuery } from './requests.ts';

const lookMs = 500;

/** Runs the active version, by default as a dry run, and shows its output while it runs. */
export function TestRun({ automationId, isEnded }: { automationId: string; isEnded: boolean }) {
  const queryClient = useQueryClient();
  const [lastBefore, setLastBefore] = useState('');
  const run = useMutation({
    mutationFn: (dry_run: boolean) => runOnce({ automation_id: automationId, dry_run }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['automations', 'runs', automationId] }),
    onError: (error) => tellFailure('The automation did not run', error),
  });
  const { data: runs } = useQuery({ ...runsQuery(automationId), refetchInterval: run.isPending && lookMs });
  // The call answers when the run has ended. Until then the run is the newest one by hand: ids are in order of time.
  const begun = runs?.find((each) => each.trigger_kind === 'manual' && !each.replay_of && each.run_id > lastBefore);
  const runId = run.isPending ? begun?.run_id : run.data?.run_id;
  function start(isDry: boolean): void {
    setLastBefore(runs?.[0]?.run_id ?? '');
    run.mutate(isDry);
  }
  if (isEnded) return null;
  return (
    <Section
      title="Test run"
      lead="A dry run shows what would leave Thalamus, and drafts nothing."
      action={
        <div className="flex gap-2">
          <Button look="primary" isBusy={run.isPending} onClick={() => start(true)}>
            Dry run
          </Button>
          <Button disabled={run.isPending} onClick={() => start(false)}>
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
