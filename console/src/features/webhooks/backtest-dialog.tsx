import { useQuery } from '@tanstack/react-query';
import { Drawer } from '../../design/drawer.tsx';
import { Tag } from '../../design/page.tsx';
import { ErrorState, Notice, Skeleton } from '../../design/states.tsx';
import { CodeBlock } from '../../design/code-block.tsx';
import { buildBacktestQuery, type Backtest } from './requests.ts';
import { formatCount } from '../../design/format-count.ts';

const kinds = [
  ['added', 'Added', 'go'],
  ['lost', 'Lost', 'stop'],
  ['changed', 'Changed', 'wait'],
  ['error', 'Failed', 'stop'],
] as const;

/** What the newest version makes of past events, beside the active one. Nothing is stored. */
export function BacktestDialog({ connectorId, onClose }: { connectorId: string; onClose: () => void }) {
  const { data, error, isPending } = useQuery(buildBacktestQuery(connectorId));
  return (
    <Drawer
      isOpen
      onClose={onClose}

      title="Compare on past events"
      description="The newest version runs on the last 500 events, beside the active one. Nothing is stored."
    >
      {isPending && <Skeleton label="Running both versions on past events. This takes up to a minute." />}
      {error && <ErrorState error={error} />}
      {data && <Compared of={data} />}
    </Drawer>
  );
}

function Compared({ of: { events, is_complete, unchanged, errors, examples, ...counts } }: { of: Backtest }) {
  const found = { ...counts, error: errors };
  if (!events) return <Notice tone="plain">No events with a body are kept, so there is nothing to compare.</Notice>;
  return (
    <div className="space-y-6">
      <div className="space-y-3">
        <p className="flex flex-wrap gap-2">
          {kinds.map(([kind, label, tone]) => (
            <Tag key={kind} tone={found[kind] ? tone : 'plain'}>
              {label}: {found[kind].toLocaleString()}
            </Tag>
          ))}
          <Tag>Unchanged: {unchanged.toLocaleString()}</Tag>
        </p>
        <p className="text-sm text-soft">Documents of {formatCount(events, 'event')}.</p>
        {!is_complete && <Notice tone="wait">A minute was not enough for all events. These are the newest.</Notice>}
      </div>
      <ul aria-label="Differences" className="space-y-5">
        {examples.map((each) => (
          <Example key={`${each.webhook_event_id} ${each.kind} ${each.source_id}`} of={each} />
        ))}
      </ul>
    </div>
  );
}

function Example({ of: { kind, source_id, before, after } }: { of: Backtest['examples'][number] }) {
  const [, label, tone] = kinds.find(([name]) => name === kind) ?? kinds[2];
  return (
    <li className="space-y-2 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <Tag tone={tone}>{label}</Tag>
        <span className="font-mono text-xs text-faint wrap-anywhere">{source_id}</span>
      </p>
      {before !== null && <Side label="Active version" text={before} />}
      {after !== null && <Side label="Newest version" text={after} />}
    </li>
  );
}

function Side({ label, text }: { label: string; text: string }) {
  return (
    <div className="space-y-1">
      <p className="text-[13px] text-faint">{label}</p>
      <CodeBlock label={label} text={text} />
    </div>
  );
}
