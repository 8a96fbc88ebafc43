import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { RunView } from './run-view.tsx';
import { runOnce, buildRunsQuery } from './requests.ts';
import { useCall } from '../../design/use-call.ts';

const lookMs = 500;

/** Runs the active version, by default as a dry run, and shows its output while it runs. */
export function TestRun({ automationId, isEnded }: { automationId: string; isEnded: boolean }) {
  const [lastBefore, setLastBefore] = useState('');
  const run = useCall((dry_run: boolean) => runOnce({ automation_id: automationId, dry_run }), {
    refreshes: [['automations', 'runs', automationId]],
    failure: 'The automation did not run',
  });
  const { data: runs } = useQuery({ ...buildRunsQuery(automationId), refetchInterval: run.isBusy && lookMs });
  // The call answers when the run has ended. Until then the run is the newest one by hand: ids are in order of time.
  const begun = runs?.find((each) => each.trigger_kind === 'manual' && !each.replay_of && each.run_id > lastBefore);
  const runId = run.isBusy ? begun?.run_id : run.answer?.run_id;
  function start(isDry: boolean): void {
    setLastBefore(runs?.[0]?.run_id ?? '');
    run.call(isDry);
  }
  if (isEnded) return null;
  return (
    <Section
      title="Test run"
      lead="A dry run shows what would leave Thalamus, and drafts nothing."
      action={
        <div className="flex gap-2">
          <Button look="primary" isBusy={run.isBusy} onClick={() => start(true)}>
            Dry run
          </Button>
          <Button disabled={run.isBusy} onClick={() => start(false)}>
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
