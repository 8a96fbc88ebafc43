import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { Button, buttonClass } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Card, Page, Tag } from '../../design/page.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../design/states.tsx';
import { Ago } from '../../design/time.tsx';
import { tell, tellFailure } from '../../design/toasts.tsx';
import type { Rule } from '../actions/policy-requests.ts';
import { effectWords, sentenceOf } from '../actions/rule-words.ts';
import { keysQuery, revokeKey, type Key } from './requests.ts';
import { SecuritySection } from './security-section.tsx';
import { SessionsSection } from './sessions-section.tsx';

/** The keys that agents and scripts call with, when they last did, and how to end them. */
export function KeysPage() {
  const { data: keys, error, isPending, refetch } = useQuery(keysQuery);
  const [ending, setEnding] = useState<Key | null>(null);
  const living = keys?.filter((key) => !key.revoked_at) ?? [];
  const ended = keys?.filter((key) => key.revoked_at) ?? [];
  return (
    <Page
      title="Keys"
      lead="Each agent has a key of its own, so that you can end one without touching the others."
      action={
        <Link to="/connect" className={buttonClass('primary')}>
          <Plus className="size-4" aria-hidden /> Connect an agent
        </Link>
      }
    >
      <Card>
        {isPending && <Skeleton label="Loading keys" />}
        {error && <ErrorState error={error} onRetry={() => void refetch()} />}
        {keys && !living.length && (
          <EmptyState icon={<KeyRound />} title="No keys yet">
            A key is made when you connect an agent.
          </EmptyState>
        )}
        <ul className="divide-y divide-line">
          {living.map((key) => (
            <KeyRow key={key.key_id} of={key} onEnd={() => setEnding(key)} />
          ))}
        </ul>
      </Card>
      {ended.length > 0 && (
        <details className="mt-6">
          <summary className="w-fit rounded text-sm text-faint hover:text-ink">{ended.length} ended</summary>
          <Card className="mt-3">
            <ul className="divide-y divide-line">
              {ended.map((key) => (
                <KeyRow key={key.key_id} of={key} />
              ))}
            </ul>
          </Card>
        </details>
      )}
      <div className="mt-10 space-y-10">
        <SecuritySection />
        <SessionsSection />
      </div>
      <EndKeyDialog of={ending} onClose={() => setEnding(null)} />
    </Page>
  );
}

function KeyRow({ of: key, onEnd }: { of: Key; onEnd?: () => void }) {
  const mayDecide = key.scopes.includes('actions:confirm');
  return (
    <li className="flex items-center gap-4 px-5 py-4">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2">
          <span className="truncate text-sm font-medium">{key.label}</span>
          {mayDecide ? <Tag tone="wait">May decide and make keys</Tag> : <Tag>Agent</Tag>}
          {key.reach === 'brain' && <Tag>One brain</Tag>}
        </p>
        <p className="mt-1 flex flex-wrap gap-x-3 text-[13px] text-faint">
          <span className="font-mono text-xs leading-5">{key.prefix}</span>
          <span>
            {key.last_used_at ? (
              <>
                Used <Ago at={key.last_used_at} />
              </>
            ) : (
              'Never used'
            )}
          </span>
          {key.revoked_at && (
            <span>
              Ended <Ago at={key.revoked_at} />
            </span>
          )}
          {key.rules.length > 0 && <span>{narrowingText(key.rules)}</span>}
          {key.expires_at && !key.revoked_at && (
            <span>
              Ends <Ago at={key.expires_at} />
            </span>
          )}
        </p>
      </div>
      {onEnd && (
        <Button look="quiet" size="small" onClick={onEnd} aria-label={`End ${key.label}`}>
          End
        </Button>
      )}
    </li>
  );
}

/** What rules of a key keep it from; what they leave to the policy is not told. */
function narrowingText(rules: readonly Rule[]): string {
  return rules
    .filter(({ effect }) => effect !== 'allow')
    .map((rule) => rule.note ?? `${effectWords[rule.effect].label}: ${sentenceOf(rule).toLowerCase()}.`)
    .join(' ');
}

function EndKeyDialog({ of: key, onClose }: { of: Key | null; onClose: () => void }) {
  const queryClient = useQueryClient();
  const ending = useMutation({
    mutationFn: revokeKey,
    onSuccess: () => {
      tell('Key ended', 'It is refused from now on.');
      onClose();
      return queryClient.invalidateQueries({ queryKey: ['accounts', 'keys'] });
    },
    onError: (error) => tellFailure('The key was not ended', error),
  });
  return (
    <Dialog
      isOpen={key !== null}
      onClose={onClose}
      title={`End ${key?.label ?? ''}?`}
      description="Whoever calls with it is refused within a second. This cannot be undone; what it stored stays."
    >
      <div className="mt-2 flex justify-end gap-2">
        <Button onClick={onClose}>Keep it</Button>
        <Button look="stop" isBusy={ending.isPending} onClick={() => key && ending.mutate(key.key_id)}>
          End the key
        </Button>
      </div>
    </Dialog>
  );
}
