import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Card, Tag } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { ErrorState, Skeleton } from '../../design/states.tsx';
import { Ago } from '../../design/time.tsx';
import { isOver, replayRun, buildRunsQuery, stopRun, type AutomationRun } from './requests.ts';
import { RunView } from './run-view.tsx';
import { formatCost, modeText, runTone, statusText } from './words.ts';
import { useCall } from '../../design/use-call.ts';

/** The runs of an automation, each to be opened, replayed or stopped. */
export function RunsSection({ automationId }: { automationId: string }) {
  const { data: runs, error, isPending } = useQuery(buildRunsQuery(automationId));
  const [opened, setOpened] = useState<string | null>(null);
  return (
    <Section title="Runs">
      <Card>
        {isPending && <Skeleton label="Loading runs" />}
        {error && <ErrorState error={error} />}
        {runs && !runs.length && (
          <p className="p-5 text-sm text-soft">No runs yet. Every run will appear here with its output.</p>
        )}
        <ul className="divide-y divide-line">
          {runs?.map((run) => (
            <li key={run.run_id} className="px-5 py-3">
              <RunRow
                run={run}
                isOpen={opened === run.run_id}
                onOpen={() => setOpened(opened === run.run_id ? null : run.run_id)}
              />
              {opened === run.run_id && (
                <div className="mt-3">
                  <RunView runId={run.run_id} />
                </div>
              )}
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  );
}

function RunRow({ run, isOpen, onOpen }: { run: AutomationRun; isOpen: boolean; onOpen: () => void }) {
  const queryClient = useQueryClient();
  const again = () => queryClient.invalidateQueries({ queryKey: ['automations'] });
  const replay = useCall(() => replayRun(run.run_id), {
    success: 'Replayed as a dry run',
    onSuccess: () => again(),
    failure: 'The run was not replayed',
  });
  const stop = useCall(() => stopRun(run.run_id), { onSuccess: again, failure: 'The run was not stopped' });
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
      <Tag tone={runTone[run.status]}>{statusText[run.status]}</Tag>
      <span>
        <Ago at={run.started_at ?? run.due_at} />
      </span>
      <span className="text-soft">
        {modeText[run.mode]} · {run.trigger_kind.replace('_', ' ')}
      </span>
      <span className="text-soft">{formatCost(run.cost_usd)}</span>
      <span className="min-w-0 flex-1 truncate text-stop">{run.error}</span>
      <Button size="small" look="quiet" aria-expanded={isOpen} onClick={onOpen}>
        {isOpen ? 'Close' : 'Open'}
      </Button>
      {isOver(run) ? (
        <Button size="small" look="quiet" isBusy={replay.isBusy} onClick={() => replay.call()}>
          Replay
        </Button>
      ) : (
        <Button size="small" look="stop" isBusy={stop.isBusy} onClick={() => stop.call()}>
          Stop
        </Button>
      )}
    </div>
  );
}
