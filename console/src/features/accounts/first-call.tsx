import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Mark } from '../../design/mark.tsx';
import { Ago } from '../../design/time.tsx';
import { keysQuery } from './requests.ts';

/** Watches a new key until it is used for the first time, so that a person sees the connection work. */
export function FirstCall({ keyId, name }: { keyId: string; name: string }) {
  const { data: key } = useQuery({
    ...keysQuery,
    refetchInterval: 2_500,
    select: ({ keys }) => keys.find((each) => each.key_id === keyId),
  });
  const usedAt = key?.last_used_at;
  return (
    <div role="status" className="flex items-center gap-3 text-sm">
      <Mark className="size-6 shrink-0" signal={usedAt ? 'passes' : 'calls'} />
      {usedAt ? (
        <p>
          <strong className="font-semibold text-go">{name} is connected.</strong> First call <Ago at={usedAt} />.{' '}
          <Link to="/memory" className="font-medium underline decoration-edge underline-offset-4 hover:decoration-ink">
            Show its memories
          </Link>
        </p>
      ) : (
        <p className="text-soft">Waiting for {name}… This page updates automatically.</p>
      )}
    </div>
  );
}
