import { useQuery } from '@tanstack/react-query';
import { Card } from '../../design/page.tsx';
import { ErrorState, Skeleton } from '../../design/states.tsx';
import { buildDraftValuesQuery, type Draft, type DraftValues } from './requests.ts';

/** The values that agents wrote into a pending draft, if this page shows them; null: there is nothing to show. */
export function useAgentValues(draft: Draft) {
  const needsThem = draft.status === 'pending' && draft.preview.is_completed_at_console === true;
  const query = useQuery({ ...buildDraftValuesQuery(draft), enabled: needsThem });
  const values = query.data?.content_hash === draft.content_hash ? query.data.values : null;
  return { needsThem, values: needsThem ? values : null, error: query.error, retry: () => void query.refetch() };
}

type Props = ReturnType<typeof useAgentValues>;

/** Shows each value in clear text: it is sent exactly like this. */
export function AgentValues({ needsThem, values, error, retry }: Props) {
  if (!needsThem) return null;
  if (error) return <ErrorState error={error} onRetry={retry} />;
  if (!values) return <Skeleton label="Loading the values that an agent wrote" />;
  return (
    <Card className="overflow-hidden border-wait">
      <section aria-label="Values that an agent wrote">
        <h3 className="px-5 pt-4 font-semibold">Values that an agent wrote</h3>
        <p className="px-5 pt-1 pb-3 text-[13px] text-soft">
          The request contains their handles. Read the values as part of it: they are sent as shown here, and only this
          page shows them.
        </p>
        <dl className="divide-y divide-line border-t border-line">
          {values.map((value) => (
            <Value key={value.handle} {...value} />
          ))}
        </dl>
      </section>
    </Card>
  );
}

function Value({ handle, name, set_by: setBy, fingerprint, value }: DraftValues['values'][number]) {
  return (
    <div className="px-5 py-3">
      <dt className="flex flex-wrap items-baseline gap-x-3 text-[13px]">
        <span className="font-mono font-medium wrap-anywhere">{name}</span>
        <span className="text-faint">
          written by {setBy} · fingerprint <code>{fingerprint}</code>
        </span>
        <code className="text-faint wrap-anywhere">{handle}</code>
      </dt>
      <dd>
        <pre
          tabIndex={0}
          aria-label={`Value of ${name}`}
          className="mt-1.5 max-h-64 overflow-auto rounded-md bg-sunken px-3 py-2 font-mono text-[13px] leading-relaxed whitespace-pre-wrap wrap-anywhere"
        >
          {value}
        </pre>
      </dd>
    </div>
  );
}
