import { CircleCheck, CircleX } from 'lucide-react';
import { Notice } from '../../design/states.tsx';

/** The message after returning from a provider's consent page. Both: it is connected, and its sync did not start. */
export type CameBack = { connected?: string | undefined; error?: string | undefined };

type Props = CameBack & { mayWrite?: boolean; syncs?: boolean };

export function CameBackNotice({ connected, error, mayWrite = false, syncs = false }: Props) {
  if (!connected && !error) return null;
  return (
    <div className="mb-5 space-y-3">
      {connected && (
        <Notice tone="go" icon={<CircleCheck />}>
          Connected. Your agents can read it now{mayWrite && ', and their drafts wait in your inbox'}.
          {syncs && !error && ' It syncs into your personal brain, where search finds its items.'}
        </Notice>
      )}
      {error && (
        <Notice tone="stop" icon={<CircleX />}>
          {error}
        </Notice>
      )}
    </div>
  );
}
