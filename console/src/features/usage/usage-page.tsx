import { useQuery } from '@tanstack/react-query';
import { Button } from '../../design/button.tsx';
import { FigureRow } from '../../design/figure-row.tsx';
import { Page } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { ErrorState, Notice, Skeleton } from '../../design/states.tsx';
import { ModelCard } from './model-card.tsx';
import { QuestionList } from './question-list.tsx';
import { usageQuery, type UsageOverview } from './requests.ts';
import { UsageCharts } from './usage-charts.tsx';
import { usagePeriods, type UsageAddress } from './usage-periods.ts';
import { moneyText, questionsText, tokenText } from './words.ts';

type Props = { address: UsageAddress; onChange: (address: UsageAddress) => void };

/** What language models were asked for and what that cost, and which models are set. */
export function UsagePage({ address: { period: days = 30 }, onChange }: Props) {
  const { data, error, isPending, refetch } = useQuery(usageQuery(days));
  return (
    <Page
      title="Usage"
      lead={
        data?.of === 'person'
          ? 'What language models did for you, and what that cost.'
          : 'What language models did here, and what that cost.'
      }
      action={
        data && (data.models.main !== null || data.total.calls > 0) && <Periods days={days} onChange={onChange} />
      }
    >
      {isPending && <Skeleton label="Loading the usage" />}
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && <Parts of={data} />}
    </Page>
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
              { name: 'Cost', value: total.cost_usd, format: moneyText },
              { name: 'Questions', value: total.calls },
              { name: 'Tokens asked', value: total.input_tokens, format: tokenText },
              { name: 'Tokens answered', value: total.output_tokens, format: tokenText },
            ]}
          />
          <Remarks of={overview} />
          <UsageCharts of={overview} />
        </>
      )}
      <Section title={models.fast ? 'Models' : 'Model'}>
        <ModelCard models={models} />
      </Section>
      <QuestionList />
    </div>
  );
}

/** What the figures leave out. */
function Remarks({ of: { total } }: { of: UsageOverview }) {
  const remarks = [
    total.unpriced_calls && `The cost of ${questionsText(total.unpriced_calls)} is not known and not in the sum.`,
    total.failed_calls && `${questionsText(total.failed_calls)} had no usable answer.`,
    total.unfinished_calls && `${questionsText(total.unfinished_calls)} broke off when a server stopped.`,
  ].filter(Boolean);
  if (!remarks.length) return null;
  return <Notice tone="plain">{remarks.join(' ')}</Notice>;
}
