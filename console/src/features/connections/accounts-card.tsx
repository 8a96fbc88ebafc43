import { CircleCheck, CircleX } from 'lucide-react';
import { useState } from 'react';
import { formatErrorMessage } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { Card, Tag } from '../../design/page.tsx';
import { Notice } from '../../design/states.tsx';
import { Ago } from '../../design/time.tsx';
import { leaveForConsent, staleKeys, testConnection, type Connection } from './requests.ts';
import { UnlinkDialog } from './unlink-dialog.tsx';
import { useCall } from '../../design/use-call.ts';

/**
 * An account, and whether it lacks permissions for this integration: all of them, or those for writing. `lacks`: the
 * missing writes, in words.
 */
export type ShownAccount = {
  connection: Connection;
  lacking: string | null;
  readsOnly: boolean;
  lacks: readonly string[];
};

/** The action to relink an account that was linked by consent. Null: there is no consent. */
type Consent = { provider: string; source: string } | null;

const statusTags = {
  active: { text: 'Connected', tone: 'go' },
  reconnect_needed: { text: 'Access expired', tone: 'stop' },
  revoked: { text: 'Disconnected', tone: 'plain' },
} as const;

/** The linked accounts, with their errors, a test, and a button to unlink them. */
export function AccountsCard({ accounts, consent }: { accounts: readonly ShownAccount[]; consent: Consent }) {
  const [ending, setEnding] = useState<Connection | null>(null);
  return (
    <Card>
      <ul className="divide-y divide-line">
        {accounts.map((shown) => (
          <AccountRow
            key={shown.connection.connection_id}
            {...shown}
            consent={consent}
            onUnlink={() => setEnding(shown.connection)}
          />
        ))}
      </ul>
      <UnlinkDialog connection={ending} onClose={() => setEnding(null)} />
    </Card>
  );
}

type RowProps = ShownAccount & { consent: Consent; onUnlink: () => void };

function AccountRow({ consent, onUnlink, ...shown }: RowProps) {
  const { connection, lacking, readsOnly, lacks } = shown;
  const { account, status, status_reason: reason, may_change: mayChange, warnings } = connection;
  const testing = useCall(testConnection, { refreshes: staleKeys });
  const tag = lacking ? ({ text: 'Missing permission', tone: 'wait' } as const) : statusTags[status];
  return (
    <li className="space-y-2.5 px-5 py-4">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-56">
          <p className="flex flex-wrap items-center gap-2 text-sm font-medium">
            <span className="min-w-0 truncate">{account}</span>
            <Tag tone={tag.tone}>{tag.text}</Tag>
            {connection.owner === 'workspace' && <Tag>Workspace</Tag>}
            {connection.kind === 'token' && <Tag>Token</Tag>}
            {readsOnly && <Tag>Read-only</Tag>}
            {!readsOnly && lacks.length > 0 && <Tag>Limited writing</Tag>}
          </p>
          <Facts connection={connection} />
        </div>
        <div className="flex gap-1">
          {status === 'active' && (
            <Button
              size="small"
              isBusy={testing.isBusy}
              onClick={() => testing.call(connection.connection_id)}
              aria-label={`Test ${account}`}
            >
              Test
            </Button>
          )}
          <LinkAgain {...shown} consent={consent} />
          {mayChange && status !== 'revoked' && (
            <Button look="quiet" size="small" onClick={onUnlink} aria-label={`Disconnect ${account}`}>
              Disconnect
            </Button>
          )}
        </div>
      </div>
      {!readsOnly && lacks.length > 0 && <p className="text-[13px] text-faint">It may not yet: {lacks.join(' ')}</p>}
      {(lacking ?? (status === 'active' ? null : reason)) && <Notice tone="stop">{lacking ?? reason}</Notice>}
      {warnings.map((warning) => (
        <Notice key={warning} tone="wait">
          {warning}
        </Notice>
      ))}
      {testing.error && <Notice tone="stop">{formatErrorMessage(testing.error)}</Notice>}
      {testing.answer && (
        <Notice tone={testing.answer.ok ? 'go' : 'stop'} icon={testing.answer.ok ? <CircleCheck /> : <CircleX />}>
          {testing.answer.message} {testing.answer.ok && `(${testing.answer.took_ms} ms)`}
        </Notice>
      )}
    </li>
  );
}

function Facts({ connection }: { connection: Connection }) {
  const facts = [
    ['Connected', connection.connected_at],
    ['used', connection.last_used_at],
    ['renewed', connection.last_refresh_at],
    ['read', connection.last_sync_at],
    ['ends', connection.ends_at],
  ] as const;
  const known = facts.filter(([, at]) => at !== null);
  const last = known.length - 1;
  return (
    <p className="mt-0.5 flex flex-wrap gap-x-1.5 text-[13px] text-faint">
      {known.map(([word, at], position) => (
        <span key={word} className="whitespace-nowrap">
          {word} <Ago at={at ?? ''} />
          {position < last && ' ·'}
        </span>
      ))}
    </p>
  );
}

/** Opens the consent page again. Choosing the same account repairs it and keeps everything that uses it. */
function LinkAgain({ connection, lacking, lacks, consent }: ShownAccount & { consent: Consent }) {
  const leaving = useCall(leaveForConsent, { failure: 'Not connected' });
  const { account, owner, kind, status, may_change: mayChange } = connection;
  const helps = lacking !== null || lacks.length > 0 || status !== 'active';
  if (!mayChange || !consent || kind !== 'oauth' || !helps) return null;
  const word = lacks.length > 0 ? 'Allow writing' : 'Reconnect';
  return (
    <Button
      size="small"
      isBusy={leaving.isBusy || leaving.isSuccess}
      onClick={() => leaving.call({ ...consent, owner, returnTo: `/integrations/${consent.source}` })}
      aria-label={`${word}, ${account}`}
    >
      {word}
    </Button>
  );
}
