import { useQuery } from '@tanstack/react-query';
import { Button } from '../../design/button.tsx';
import { FigureRow } from '../../design/figure-row.tsx';
import { ObjectPage } from '../../design/object-page.tsx';
import { Section } from '../../design/section.tsx';
import { Notice } from '../../design/states.tsx';
import { DailyCaps } from './daily-caps.tsx';
import { ModelCard } from './model-card.tsx';
import { QuestionList } from './question-list.tsx';
import { buildUsageQuery, type UsageOverview } from './requests.ts';
import { UsageCharts } from './usage-charts.tsx';
import { usagePeriods, type UsageAddress } from './usage-periods.ts';
import { formatMoney, formatQuestionCount, formatTokenCount } from './words.ts';

type Props = { address: UsageAddress; onChange: (address: UsageAddress) => void };

/** The usage and cost of language models, and the configured models. */
export function UsagePage({ address: { period: days = 30 }, onChange }: Props) {
  const query = useQuery(buildUsageQuery(days));
  const { data } = query;
  return (
    <ObjectPage
      title="Usage"
      lead={
        data?.of === 'person'
          ? 'Your language model requests and their cost.'
          : 'Language model requests of this workspace and their cost.'
      }
      noun="usage"
      query={query}
      action={
        data && (data.models.main !== null || data.total.calls > 0) && <Periods days={days} onChange={onChange} />
      }
    >
      {data && <Parts of={data} />}
    </ObjectPage>
  );
}

function Periods({ days, onChange }: { days: number; onChange: Props['onChange'] }) {
  return (
    <div role="group" aria-label="Period" className="flex gap-1">
      {usagePeriods.map((each) => (
        <Button
          key={each}
          size="small"
          look={each === days ? 'plain' : 'quiet'}
          aria-pressed={each === days}
          onClick={() => onChange({ period: each === 30 ? undefined : each })}
        >
          {each} days
        </Button>
      ))}
    </div>
  );
}

function Parts({ of: overview }: { of: UsageOverview }) {
  const { total, models } = overview;
  return (
    <div className="space-y-8">
      {total.calls > 0 && (
        <>
          <FigureRow
            figures={[
              { name: 'Cost', value: total.cost_usd, format: formatMoney },
              { name: 'Requests', value: total.calls },
              { name: 'Input tokens', value: total.input_tokens, format: formatTokenCount },
              { name: 'Output tokens', value: total.output_tokens, format: formatTokenCount },
            ]}
          />
          <Remarks of={overview} />
          <UsageCharts of={overview} />
        </>
      )}
      {overview.caps && <DailyCaps of={overview.caps} />}
      <Section title={models.fast ? 'Models' : 'Model'}>
        <ModelCard models={models} />
      </Section>
      <QuestionList />
    </div>
  );
}

/** Explains what the figures exclude. */
function Remarks({ of: { total } }: { of: UsageOverview }) {
  const remarks = [
    total.unpriced_calls && `The cost of ${formatQuestionCount(total.unpriced_calls)} is unknown and not included.`,
    total.failed_calls && `${formatQuestionCount(total.failed_calls)} failed.`,
    total.unfinished_calls && `${formatQuestionCount(total.unfinished_calls)} stopped when a server stopped.`,
  ].filter(Boolean);
  if (!remarks.length) return null;
  return <Notice tone="plain">{remarks.join(' ')}</Notice>;
}
