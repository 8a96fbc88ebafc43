import { useQuery } from '@tanstack/react-query';
import { Tag } from '../../design/page.tsx';
import { ErrorState, Skeleton } from '../../design/states.tsx';
import { runQuery } from './requests.ts';
import { SaveFixture } from './save-fixture.tsx';
import { formatCost, modeText, runTone, statusText } from './words.ts';

/** One run with its output, which grows while it runs. */
export function RunView({ runId }: { runId: string }) {
  const { data: run, error, isPending } = useQuery(runQuery(runId));
  if (isPending) return <Skeleton rows={2} label="Loading the run" />;
  if (error) return <ErrorState error={error} />;
  const parts: [string, string][] = [
    ['Output', run.stdout],
    ['Errors', run.stderr],
    ['Result', run.result === null ? '' : JSON.stringify(run.result, null, 2)],
  ];
  const shown = parts.filter(([, text]) => text);
  return (
    <div className="space-y-3 text-sm">
      <div className="flex flex-wrap items-center gap-3 text-soft">
        <Tag tone={runTone[run.status]}>{statusText[run.status]}</Tag>
        <span>{modeText[run.mode]}</span>
        {run.duration_ms !== null && <span>{(run.duration_ms / 1_000).toFixed(1)} s</span>}
        <span>{formatCost(run.cost_usd)}</span>
      </div>
      {run.error && <p className="text-stop wrap-anywhere">{run.error}</p>}
      {!shown.length && <p className="text-soft">No output yet.</p>}
      {shown.map(([label, text]) => (
        <div key={label}>
          <h3 className="mb-1 text-[13px] text-soft">{label}</h3>
          <pre
            tabIndex={0}
            aria-label={label}
            className="max-h-80 overflow-auto rounded-xl bg-sunken p-4 font-mono text-xs whitespace-pre-wrap"
          >
            {text}
          </pre>
        </div>
      ))}
      {run.can_be_fixture && <SaveFixture of={run} />}
    </div>
  );
}
