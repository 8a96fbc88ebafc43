import { useQuery } from '@tanstack/react-query';
import { ExternalLink, Globe } from 'lucide-react';
import { getButtonClass } from '../../design/button.tsx';
import { Ago, formatExactMoment } from '../../design/time.tsx';
import { connectionsQuery } from '../connections/requests.ts';
import { integrationsQuery, syncsQuery } from '../integrations/requests.ts';
import { SourceIcon } from '../../design/source-sign.tsx';
import { findProviderUrl } from './provider-address.ts';
import type { PageDocument } from './requests.ts';

/** The origin of a page: service, account, last sync, and a link. */
export function WhereFrom({ page }: { page: PageDocument }) {
  const { data: integrations = [] } = useQuery(integrationsQuery);
  const [name = '', ...rest] = page.source?.split(':') ?? [];
  const integration = integrations.find((each) => each.name === name);
  const label = integration?.label ?? (name || 'This server');
  const href = findProviderUrl(page);
  return (
    <header className="mb-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-[13px] text-faint">
        <p className="flex min-w-0 flex-1 basis-60 flex-wrap items-center gap-x-3 gap-y-1">
          <span className="flex items-center gap-1.5 font-medium text-soft">
            {name && <SourceIcon name={name} className="size-4 shrink-0" />}
            {label}
          </span>
          {rest.length > 0 && <span className="wrap-anywhere">{rest.join(':')}</span>}
          <span>{page.brain_name}</span>
          <LastRead page={page} connectionId={findConnectionId(integration?.accounts, rest.join(':'))} />
        </p>
        {href && (
          <a
            href={href}
            target="_blank"
            rel="noopener noreferrer"
            title={href}
            className={getButtonClass('plain', 'small')}
          >
            <ExternalLink className="size-3.5" aria-hidden />
            Open in {integration?.label ?? new URL(href).host}
          </a>
        )}
      </div>
      {page.origin === 'outside' && (
        <p className="mt-3 flex items-start gap-2 rounded-lg bg-sunken px-3 py-2 text-[13px] text-soft">
          <Globe className="mt-0.5 size-3.5 shrink-0 text-faint" aria-hidden />
          External content. Agents treat it as data, not instructions.
        </p>
      )}
    </header>
  );
}

function findConnectionId(
  accounts: readonly { connection_id: string; known_as: string }[] | undefined,
  account: string,
): string | undefined {
  return accounts?.find((each) => each.known_as === account)?.connection_id;
}

/** When its source was read last: synced, or fetched once. Else when the page itself changed. */
function LastRead({ page, connectionId }: { page: PageDocument; connectionId: string | undefined }) {
  const { data: syncs = [] } = useQuery(syncsQuery);
  const { data: connections = [] } = useQuery(connectionsQuery);
  const sync = syncs.find(
    ({ connection_id, brain_id, source }) =>
      connection_id === connectionId && brain_id === page.brain_id && source === page.source?.split(':')[0],
  );
  const connection = connections.find(({ connection_id }) => connection_id === connectionId);
  const at = sync?.finished_at ?? connection?.last_sync_at;
  return (
    <span>
      {at ? (
        <>
          Synced <Ago at={at} />
        </>
      ) : (
        `Updated ${formatExactMoment(page.updated_at)}`
      )}
    </span>
  );
}
