import { useQuery } from '@tanstack/react-query';
import { Cable, Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Card, Page, Tag } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../design/states.tsx';
import { Ago } from '../../design/time.tsx';
import { ConnectorDrawer } from './connector-drawer.tsx';
import { ConversationsSection } from './conversations-section.tsx';
import { NewConnectorDialog } from './new-connector-dialog.tsx';
import { connectorsQuery, type Connector } from './requests.ts';
import { ReviewSection } from './review-section.tsx';

/** Connectors, texts that wait for a brain, and captured conversations. */
export function ConnectorsPage() {
  const { data: connectors, error, isPending, refetch } = useQuery(connectorsQuery);
  const [isAdding, setIsAdding] = useState(false);
  const [openId, setOpenId] = useState<string | null>(null);
  return (
    <Page
      title="Connectors"
      lead="Other products send mails, meeting notes and messages here. Each text goes to the brain that it fits."
      action={
        <Button look="primary" icon={<Plus className="size-4" />} onClick={() => setIsAdding(true)}>
          New connector
        </Button>
      }
    >
      <div className="space-y-10">
        <Card>
          {isPending && <Skeleton label="Loading connectors" />}
          {error && <ErrorState error={error} onRetry={() => void refetch()} />}
          {connectors && !connectors.length && (
            <EmptyState icon={<Cable />} title="No connectors yet">
              Create one, and copy its set-up into Make, Zapier or n8n. What they send will appear in your memory.
            </EmptyState>
          )}
          <ul className="divide-y divide-line">
            {connectors?.map((connector) => (
              <ConnectorRow
                key={connector.connector_id}
                of={connector}
                onOpen={() => setOpenId(connector.connector_id)}
              />
            ))}
          </ul>
        </Card>
        <ReviewSection />
        <Section
          title="Conversations"
          lead="Hooks of Claude Code keep your conversations, if their key has the scope sessions:capture."
        >
          <ConversationsSection />
        </Section>
      </div>
      {isAdding && <NewConnectorDialog onClose={() => setIsAdding(false)} />}
      <ConnectorDrawer
        of={connectors?.find(({ connector_id: id }) => id === openId) ?? null}
        onClose={() => setOpenId(null)}
      />
    </Page>
  );
}

function ConnectorRow({ of, onOpen }: { of: Connector; onOpen: () => void }) {
  const { name, source, connector_type: kind, token_prefix: prefix, last_used_at: usedAt } = of;
  return (
    <li>
      <button
        type="button"
        className="flex w-full items-center gap-4 px-5 py-4 text-left hover:bg-hover"
        onClick={onOpen}
      >
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-center gap-2 text-sm font-medium">
            {name} <Tag>{kind}</Tag>
          </span>
          <span className="mt-1 flex flex-wrap gap-x-3 text-[13px] text-faint">
            <span>{source}</span>
            {prefix && <span className="font-mono text-xs leading-5">{prefix}…</span>}
            <span>
              {usedAt ? (
                <>
                  Last used <Ago at={usedAt} />
                </>
              ) : (
                'Never used'
              )}
            </span>
          </span>
        </span>
      </button>
    </li>
  );
}
