import { useState } from 'react';
import { BarList } from '../../design/bar-list.tsx';
import { Button } from '../../design/button.tsx';
import { DailyChart } from '../../design/daily-chart.tsx';
import { Card } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import type { Figures, UsageOverview } from './requests.ts';
import { formatMoney, getPurposeName, formatQuestionCount, formatTokenCount } from './words.ts';

type Measure = 'cost' | 'tokens';

const measures = { cost: 'Cost', tokens: 'Tokens' } as const;
const costSeries = [{ name: 'cost_usd', label: 'Cost', className: 'fill-go' }] as const;
const tokenSeries = [
  { name: 'input_tokens', label: 'Input tokens', className: 'fill-go' },
  { name: 'output_tokens', label: 'Output tokens', className: 'fill-faint' },
] as const;
const calls = [{ name: 'calls', label: 'Requests' }] as const;

/** Cost or tokens by day, by purpose and by model. */
export function UsageCharts({ of: overview }: { of: UsageOverview }) {
  const [chosen, setChosen] = useState<Measure | null>(null);
  const measure = chosen ?? (overview.total.cost_usd > 0 ? 'cost' : 'tokens'); // self-hosted models have no price
  return (
    <>
      <Section
        title="By day"
        action={
          <div role="group" aria-label="Measure" className="flex gap-1">
            {(['cost', 'tokens'] as const).map((each) => (
              <Button
                key={each}
                size="small"
                look={each === measure ? 'plain' : 'quiet'}
                aria-pressed={each === measure}
                onClick={() => setChosen(each)}
              >
                {measures[each]}
              </Button>
            ))}
          </div>
        }
      >
        <Card className="p-4 sm:p-5">
          {measure === 'cost' ? <CostChart of={overview} /> : <TokenChart of={overview} />}
        </Card>
      </Section>
      <div className="grid gap-8 sm:grid-cols-2">
        <Section title="By purpose">
          <Card className="p-5">
            <Bars
              label={`${measures[measure]} by purpose`}
              measure={measure}
              rows={overview.by_tag.map((row) => ({ ...row, name: getPurposeName(row.tag) }))}
            />
          </Card>
        </Section>
        <Section title="By model">
          <Card className="p-5">
            <Bars
              label={`${measures[measure]} by model`}
              measure={measure}
              rows={overview.by_model.map((row) => ({ ...row, name: row.model }))}
            />
          </Card>
        </Section>
      </div>
    </>
  );
}

function CostChart({ of: { by_day: days } }: { of: UsageOverview }) {
  return (
    <DailyChart
      days={days}
      series={costSeries}
      format={formatMoney}
      describe={(total, most) => `${formatMoney(total('cost_usd'))} in total, at most ${formatMoney(most)} per day.`}
    />
  );
}

function TokenChart({ of: { by_day: days } }: { of: UsageOverview }) {
  return (
    <DailyChart
      days={days}
      series={tokenSeries}
      others={calls}
      describe={(total) => `${total('input_tokens')} input tokens, ${total('output_tokens')} output tokens.`}
    />
  );
}

function Bars({
  rows,
  measure,
  label,
}: {
  rows: readonly (Figures & { name: string })[];
  measure: Measure;
  label: string;
}) {
  const getSize = (row: Figures) => (measure === 'cost' ? row.cost_usd : row.input_tokens + row.output_tokens);
  return (
    <BarList
      label={label}
      format={measure === 'cost' ? formatMoney : formatTokenCount}
      bars={rows
        .map((row) => ({ name: row.name, value: getSize(row), hint: formatQuestionCount(row.calls) }))
        .toSorted((a, b) => b.value - a.value)}
    />
  );
}
