import { CircleCheck, CircleX } from 'lucide-react';
import { Notice } from '../../design/states.tsx';

/** The message after returning from a provider's consent page. */
export type CameBack = { connected?: string | undefined; error?: string | undefined };

type Props = CameBack & { mayWrite?: boolean };

export function CameBackNotice({ connected, error, mayWrite = false }: Props) {
  if (!connected && !error) return null;
  return (
    <div className="mb-5">
      {error ? (
        <Notice tone="stop" icon={<CircleX />}>
          {error}
        </Notice>
      ) : (
        <Notice tone="go" icon={<CircleCheck />}>
          Connected. Your agents can read it now{mayWrite && ', and their drafts wait in your inbox'}. Sync it, so that
          they find its items by search.
        </Notice>
      )}
    </div>
  );
}
