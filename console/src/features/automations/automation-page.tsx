import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Output } from '#sdk';
import { BackLink } from '../../design/back-link.tsx';
import { Button } from '../../design/button.tsx';
import { DailyChart } from '../../design/daily-chart.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Card, Page, Tag } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { ErrorState, Skeleton } from '../../design/states.tsx';
import { momentText } from '../../design/time.tsx';
import { tell, tellFailure } from '../../design/toasts.tsx';
import { automationQuery, endAutomation, estimateQuery, updateAutomation, type Automation } from './requests.ts';
import { FixturesSection } from './fixtures-section.tsx';
import { RunsSection } from './runs-section.tsx';
import { SourceSection } from './source-section.tsx';
import { TestRun } from './test-run.tsx';
import { WaitingChange } from './waiting-change.tsx';
import { WebhookSection } from './webhook-section.tsx';
import { costText, grantText, triggerText } from './words.ts';

/** One automation: its grants, source, versions, runs and costs. */
export function AutomationPage({ automationId }: { automationId: string }) {
  const { data, error, isPending, refetch } = useQuery(automationQuery(automationId));
  const back = <BackLink to="/automations">Automations</BackLink>;
  if (!data)
    return (
      <Page title="Automation" back={back}>
        {isPending && <Skeleton label="Loading the automation" />}
        {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      </Page>
    );
  return (
    <Page title={data.name} lead={data.description || data.intent} back={back} action={<Actions of={data} />} isWide>
      <div className="space-y-8">
        <WaitingChange of={data} />
        <Summary of={data} />
        <SourceSection of={data} />
        <WebhookSection of={data} />
        <TestRun automationId={automationId} isEnded={data.state === 'killed'} />
        <FixturesSection of={data} />
        <RunsSection automationId={automationId} />
        {data.cost_by_day.length > 0 && <Costs of={data} />}
      </div>
    </Page>
  );
}

function Actions({ of: { automation_id, state, updated_at } }: { of: Automation }) {
  const queryClient = useQueryClient();
  const [isEnding, setIsEnding] = useState(false);
  const again = () => queryClient.invalidateQueries({ queryKey: ['automations'] });
  const change = useMutation({
    mutationFn: (to: 'active' | 'paused') =>
      updateAutomation({ automation_id, state: to, ...(to === 'active' && { seen_updated_at: updated_at }) }),
    onSuccess: ({ state: now }) => {
      tell(now === 'active' ? 'Automation activated' : 'Automation paused');
      return again();
    },
    onError: (error) => {
      tellFailure('The automation was not changed', error);
      return again();
    },
  });
  const end = useMutation({
    mutationFn: () => endAutomation(automation_id),
    onSuccess: () => {
      tell('Automation deleted');
      setIsEnding(false);
      return again();
    },
    onError: (error) => tellFailure('The automation was not deleted', error),
  });
  if (state === 'killed') return <Tag tone="stop">Deleted</Tag>;
  const isActive = state === 'active';
  return (
    <div className="flex items-center gap-2">
      <Tag tone={isActive ? 'go' : 'plain'}>{isActive ? 'Active' : 'Paused'}</Tag>
      <Button
        look={isActive ? 'plain' : 'primary'}
        isBusy={change.isPending}
        onClick={() => change.mutate(isActive ? 'paused' : 'active')}
      >
        {isActive ? 'Pause' : 'Activate'}
      </Button>
      <Button look="stop" onClick={() => setIsEnding(true)}>
        Delete
      </Button>
      <Dialog
        isOpen={isEnding}
        onClose={() => setIsEnding(false)}
        title="Delete this automation?"
        description="It stops now and never runs again. Its runs and versions stay visible here."
      >
        <div className="mt-2 flex justify-end gap-2">
          <Button onClick={() => setIsEnding(false)}>Cancel</Button>
          <Button look="stop" isBusy={end.isPending} onClick={() => end.mutate()}>
            Delete automation
          </Button>
        </div>
      </Dialog>
    </div>
  );
}

function Summary({ of: automation }: { of: Automation }) {
  const { triggers, tool_grants, acknowledged_http_fetch_hosts: hosts, next_run_at, write_policy } = automation;
  const { automation_id, cost_today_usd, cost_cap_daily_usd, max_wall_seconds, max_llm_tokens } = automation;
  const { data: estimate } = useQuery(estimateQuery(automation_id));
  const rows: [string, readonly string[]][] = [
    ['Starts', triggers.map(triggerText)],
    ['Next run', [next_run_at ? momentText(next_run_at) : 'Not scheduled']],
    ['May call', tool_grants.map(grantText)],
    ['May reach', hosts.length ? hosts : ['No external hosts']],
    ['Actions', [write_policy === 'always_draft' ? 'Always wait for approval' : 'Safe actions are approved by itself']],
    ...(estimate ? [estimateRow(estimate)] : []),
    [
      'Limits',
      [
        `${costText(cost_cap_daily_usd)} a day (${costText(cost_today_usd)} today)`,
        `${max_wall_seconds} seconds a run`,
        `${max_llm_tokens.toLocaleString()} tokens a run`,
      ],
    ],
  ];
  return (
    <Card>
      <dl className="divide-y divide-line">
        {rows.map(([label, values]) => (
          <div key={label} className="grid gap-1 px-5 py-3 sm:grid-cols-[8rem_1fr]">
            <dt className="text-sm text-soft">{label}</dt>
            <dd className="min-w-0 space-y-0.5 text-sm wrap-anywhere">
              {values.map((value) => (
                <div key={value}>{value}</div>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function estimateRow({ usd_a_month, explanation }: Output<'estimate_automation_cost'>): [string, string[]] {
  return ['Estimated cost', [usd_a_month === null ? 'Not known yet' : `${costText(usd_a_month)} a month`, explanation]];
}

function Costs({ of: { cost_by_day } }: { of: Automation }) {
  const days = cost_by_day.map(({ day, cost_usd, runs }) => ({ date: day, cost_usd, runs }));
  return (
    <Section title="Cost" lead="What language models cost in the last 30 days.">
      <Card className="p-5">
        <DailyChart
          days={days}
          series={[{ name: 'cost_usd', label: 'Cost', className: 'fill-go text-go' }]}
          others={[{ name: 'runs', label: 'Runs' }]}
          format={costText}
          describe={(total) => `Cost by day, ${costText(total('cost_usd'))} in all.`}
        />
      </Card>
    </Section>
  );
}
