import { Card } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { formatExactMoment } from '../../design/time.tsx';
import type { UsageOverview } from './requests.ts';
import { formatMoney } from './words.ts';

type Caps = NonNullable<UsageOverview['caps']>;

/** The daily caps of the server, and what counts toward them today. */
export function DailyCaps({ of: { person, trial, workspace, resets_at } }: { of: Caps }) {
  return (
    <Section
      title="Daily caps"
      lead={`A request that could pass a cap is not sent. The caps start again at ${formatExactMoment(resets_at)}.`}
    >
      <Card className="divide-y divide-line">
        <CapRow label="One person" of={person} />
        <CapRow label="Automations that were never activated" of={trial} />
        {workspace && <CapRow label="This workspace" of={workspace} />}
      </Card>
    </Section>
  );
}

function CapRow({ label, of: { cap_usd, spent_usd, reserved_usd } }: { label: string; of: Caps['person'] }) {
  const reserved = reserved_usd > 0 ? `, ${formatMoney(reserved_usd)} reserved for requests under way` : '';
  const spent = `${formatMoney(spent_usd)} today${reserved}`;
  return (
    <div className="px-5 py-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 text-sm">
        <span>{label}</span>
        <span className="text-soft tabular-nums">
          {spent}
          {cap_usd === null ? ', no cap' : ` of ${formatMoney(cap_usd)}`}
        </span>
      </div>
      {cap_usd !== null && (
        <meter
          className="mt-2 h-1.5 w-full"
          aria-label={`${label}: ${spent} of ${formatMoney(cap_usd)}`}
          min={0}
          max={Math.max(cap_usd, spent_usd + reserved_usd, 0.01)}
          value={spent_usd + reserved_usd}
        />
      )}
    </div>
  );
}
