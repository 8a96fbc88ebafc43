import { useQuery } from '@tanstack/react-query';
import type { Output } from '#sdk';
import { DailyChart } from '../../design/daily-chart.tsx';
import { ObjectPage } from '../../design/object-page.tsx';
import { Card } from '../../design/page.tsx';
import type { QueryState } from '../../design/query-state.tsx';
import { Section } from '../../design/section.tsx';
import { formatExactMoment } from '../../design/time.tsx';
import { buildAutomationQuery, estimateQuery, type Automation } from './requests.ts';
import { FixturesSection } from './fixtures-section.tsx';
import { RunsSection } from './runs-section.tsx';
import { SourceSection } from './source-section.tsx';
import { useStateActions } from './state-actions.tsx';
import { TestRun } from './test-run.tsx';
import { WaitingChange } from './waiting-change.tsx';
import { WebhookSection } from './webhook-section.tsx';
import { formatCost, grantText, triggerText } from './words.ts';

/** One automation: its grants, source, versions, runs and costs. */
export function AutomationPage({ automationId }: { automationId: string }) {
  const query = useQuery(buildAutomationQuery(automationId));
  const { data } = query;
  if (!data)
    return (
      <ObjectPage title="Automation" noun="automation" query={query}>
        {null}
      </ObjectPage>
    );
  return <Loaded of={data} query={query} />;
}

function Loaded({ of: automation, query }: { of: Automation; query: QueryState }) {
  const { automation_id: automationId, name, description, intent, paused_reason, cost_by_day } = automation;
  const { state, action, more, dialogs } = useStateActions(automation);
  return (
    <ObjectPage
      title={name}
      lead={description || intent}
      state={state}
      noun="automation"
      query={query}
      action={action}
      more={more}
    >
      <div className="space-y-8">
        <WaitingChange of={automation} />
        {paused_reason && <Card className="p-5 text-sm">{paused_reason}</Card>}
        <Summary of={automation} />
        <SourceSection of={automation} />
        <WebhookSection of={automation} />
        <TestRun automationId={automationId} isEnded={automation.state === 'killed'} />
        <FixturesSection of={automation} />
        <RunsSection automationId={automationId} />
        {cost_by_day.length > 0 && <Costs of={automation} />}
      </div>
      {dialogs}
    </ObjectPage>
  );
}

function Summary({ of: automation }: { of: Automation }) {
  const { triggers, tool_grants, acknowledged_http_fetch_hosts: hosts, next_run_at, write_policy } = automation;
  const { automation_id, cost_today_usd, cost_cap_daily_usd, max_wall_seconds, max_llm_tokens } = automation;
  const { data: estimate } = useQuery(estimateQuery(automation_id));
  const rows: [string, readonly string[]][] = [
    ['Starts', triggers.map(triggerText)],
    ['Next run', [next_run_at ? formatExactMoment(next_run_at) : 'Not scheduled']],
    ['May call', tool_grants.map(grantText)],
    ['May reach', hosts.length ? hosts : ['No external hosts']],
    ['Actions', [write_policy === 'always_draft' ? 'Always wait for approval' : 'Safe actions are approved by itself']],
    ...(estimate ? [estimateRow(estimate)] : []),
    [
      'Limits',
      [
        `${formatCost(cost_cap_daily_usd)} a day (${formatCost(cost_today_usd)} today)`,
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
  return [
    'Estimated cost',
    [usd_a_month === null ? 'Not known yet' : `${formatCost(usd_a_month)} a month`, explanation],
  ];
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
          format={formatCost}
          describe={(total) => `Cost by day, ${formatCost(total('cost_usd'))} in all.`}
        />
      </Card>
    </Section>
  );
}
