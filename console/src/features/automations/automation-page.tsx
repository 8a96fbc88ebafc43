import { useQuery } from '@tanstack/react-query';
import { linkOptions } from '@tanstack/react-router';
import { useState } from 'react';
import type { Output } from '#sdk';
import { DailyChart } from '../../design/daily-chart.tsx';
import { LeaveDialog } from '../../design/leave-dialog.tsx';
import { ObjectPage } from '../../design/object-page.tsx';
import { Card } from '../../design/page.tsx';
import type { QueryState } from '../../design/query-state.tsx';
import { Section } from '../../design/section.tsx';
import { formatExactMoment } from '../../design/time.tsx';
import { readChoice, type Search } from '../../routing/search.ts';
import { buildAutomationQuery, estimateQuery, type Automation } from './requests.ts';
import { FixturesSection } from './fixtures-section.tsx';
import { RunsSection } from './runs-section.tsx';
import { SettingsSection } from './settings-section.tsx';
import { SourceSection } from './source-section.tsx';
import { useStateActions } from './state-actions.tsx';
import { TestRun } from './test-run.tsx';
import { WaitingChange } from './waiting-change.tsx';
import { WebhookSection } from './webhook-section.tsx';
import { formatCost, grantText, listNewReads, readText, triggerText } from './words.ts';

const parts = ['overview', 'source', 'runs'] as const;
const partText: Record<(typeof parts)[number], string> = { overview: 'Overview', source: 'Source', runs: 'Runs' };

/** Search parameters of an automation's page: the tab. */
export type AutomationAddress = { part?: (typeof parts)[number] | undefined };

/** Reads the tab of an automation's page from its address. */
export function readAutomationAddress(search: Search): AutomationAddress {
  return { part: readChoice(search['part'], parts) };
}

type Props = { automationId: string; address: AutomationAddress };

/** One automation: its grants, source, versions, runs and costs. */
export function AutomationPage({ automationId, address }: Props) {
  const query = useQuery(buildAutomationQuery(automationId));
  const { data } = query;
  if (!data)
    return (
      <ObjectPage title="Automation" noun="automation" query={query}>
        {null}
      </ObjectPage>
    );
  return <Loaded of={data} query={query} part={address.part ?? 'overview'} />;
}

type LoadedProps = { of: Automation; query: QueryState; part: (typeof parts)[number] };

function Loaded({ of: automation, query, part: shown }: LoadedProps) {
  const { automation_id: automationId, name, description, intent, source } = automation;
  const { state, action, more, dialogs } = useStateActions(automation);
  const [edited, setEdited] = useState<string | null>(null);
  return (
    <ObjectPage
      title={name}
      lead={description || intent}
      state={state}
      noun="automation"
      query={query}
      action={action}
      more={more}
      tabs={parts.map((part) => ({
        label: partText[part],
        link: linkOptions({ to: '/automations/$automationId', params: { automationId }, search: { part } }),
        isChosen: part === shown,
      }))}
    >
      <div className="space-y-8">
        {shown !== 'runs' && <WaitingChange of={automation} />}
        {shown === 'overview' && <Overview of={automation} />}
        {shown === 'source' && <Workbench of={automation} edited={edited} onEdit={setEdited} />}
        {shown === 'source' && <SettingsSection of={automation} />}
        {shown === 'runs' && <RunsSection automationId={automationId} />}
      </div>
      {dialogs}
      <LeaveDialog isUnsaved={edited !== null && edited !== source} what="Your changes to the source" />
    </ObjectPage>
  );
}

function Overview({ of: automation }: { of: Automation }) {
  const { paused_reason, cost_by_day } = automation;
  return (
    <>
      {paused_reason && <Card className="p-5 text-sm">{paused_reason}</Card>}
      <Summary of={automation} />
      <WebhookSection of={automation} />
      {cost_by_day.length > 0 && <Costs of={automation} />}
    </>
  );
}

type WorkbenchProps = { of: Automation; edited: string | null; onEdit: (source: string | null) => void };

/** What is needed to change the source: the editor, test runs, and fixtures. An edit stays while another tab is shown. */
function Workbench({ of: automation, edited, onEdit }: WorkbenchProps) {
  const { automation_id: automationId, state } = automation;
  return (
    <>
      <SourceSection of={automation} edited={edited} onEdit={onEdit} />
      <TestRun automationId={automationId} isEnded={state === 'killed'} />
      <FixturesSection of={automation} />
    </>
  );
}

function formatNewReads(automation: Automation): [string, readonly string[]][] {
  const lines = listNewReads(automation);
  if (!lines.length) return [];
  const how = automation.state === 'active' ? 'Pause and activate it to accept:' : 'Activate it to accept:';
  return [['Not accepted yet', [how, ...lines.map(readText)]]];
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
    ...formatNewReads(automation),
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
