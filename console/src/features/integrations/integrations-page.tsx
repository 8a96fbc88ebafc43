import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Blocks, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { getButtonClass } from '../../design/button.tsx';
import { ListPage } from '../../design/list-page.tsx';
import { Tag } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { useUnasked, type AllowedShare } from '../actions/without-approval.ts';
import type { Connection } from '../connections/requests.ts';
import { CameBackNotice, type CameBack } from './came-back.tsx';
import { ConnectButton } from './connect-button.tsx';
import { syncsQuery } from './requests.ts';
import { findWorkingConnection, type GalleryEntry } from './gallery-entries.ts';
import { SourceSign } from '../../design/source-sign.tsx';
import { useGallery } from './use-gallery.ts';

/** All integrations, with their linked accounts and what they allow. */
export function IntegrationsPage(cameBack: CameBack) {
  const { entries: shown, error, refetch } = useGallery();
  const [text, setText] = useState('');
  const entries = shown?.filter((entry) => isHit(entry, text));
  const others = entries?.filter(({ integration }) => !integration) ?? [];
  return (
    <ListPage
      title="Integrations"
      lead="Connect an account once. Its last 90 days then sync into your personal brain. Your agents use it and never see a password or token."
      noun="integrations"
      isGallery
      query={{
        isPending: !shown,
        error,
        refetch,
        data: entries?.filter(({ integration }) => integration),
      }}
      getKey={({ name }) => name}
      renderRow={(entry) => <EntryCard entry={entry} />}
      search={{ label: 'Search integrations', value: text, onChange: setText }}
      isNarrowed={text !== ''}
      empty={{
        icon: <Blocks />,
        title: 'No integrations on this server',
        children: 'The operator of this server chooses which integrations it has.',
      }}
      above={<CameBackNotice {...cameBack} />}
    >
      {shown && (
        <div className="mt-10">
          <Section
            title="More accounts"
            lead="Other services, for recipes, automations and tools."
            action={
              <Link to="/integrations/add" className={getButtonClass('plain', 'small')}>
                Add provider
              </Link>
            }
          >
            <ul aria-label="More accounts" className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
              {others.map((entry) => (
                <EntryCard key={entry.name} entry={entry} />
              ))}
            </ul>
            {!others.length && (
              <p className="text-sm text-faint">{text ? 'No other service matches.' : 'No other services yet.'}</p>
            )}
          </Section>
        </div>
      )}
    </ListPage>
  );
}

/** Whether every word of a search begins somewhere in what an entry is called and described as. */
function isHit({ name, label, description }: GalleryEntry, text: string): boolean {
  const searched = `${name} ${label} ${description}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word));
}

function EntryCard({ entry }: { entry: GalleryEntry }) {
  const { name, label, description } = entry;
  const { data: syncs = [] } = useQuery(syncsQuery);
  const isFailing = syncs.some(({ source, failure }) => source === name && failure !== null);
  return (
    <li className="flex flex-col rounded-2xl border border-line bg-surface p-5 shadow-card">
      <div className="flex items-start gap-3.5">
        <SourceSign name={name} />
        <div className="min-w-0 flex-1">
          <h2 className="text-[15px] font-semibold">
            <Link
              to="/integrations/$source"
              params={{ source: name }}
              search={{}}
              className="flex items-center gap-1 rounded hover:underline"
            >
              {label} <ChevronRight className="size-4 text-faint" aria-hidden />
            </Link>
          </h2>
          <p className="mt-1 text-sm leading-relaxed text-soft">{description}</p>
        </div>
      </div>
      <div className="mt-4 flex flex-1 items-end justify-between gap-3">
        <p className="flex min-w-0 flex-wrap items-center gap-1.5 text-[13px] text-faint">
          <State entry={entry} isFailing={isFailing} />
        </p>
        {!findWorkingConnection(entry) && (
          <ConnectButton
            target={{ name, label, provider: entry.oauthProvider, isConfigured: entry.isConfigured, isLinked: false }}
            returnTo={`/integrations/${name}`}
          />
        )}
      </div>
    </li>
  );
}

function needsLook({ status, warnings }: Connection): boolean {
  return status !== 'active' || warnings.length > 0;
}

const writes: Record<AllowedShare, string> = {
  none: 'write with approval',
  some: 'write, partly without approval',
  all: 'write without approval',
};

/** The linked account, its error, or what the integration allows. */
function State({ entry, isFailing }: { entry: GalleryEntry; isFailing: boolean }) {
  const share = useUnasked(entry.integration?.name);
  const account = findWorkingConnection(entry);
  const more = entry.accounts.length - 1;
  if (account) {
    const hasWarning = isFailing || entry.accounts.some(({ connection, lacking }) => lacking ?? needsLook(connection));
    return (
      <>
        <span aria-hidden className={`size-1.5 rounded-full ${hasWarning ? 'bg-wait' : 'bg-go'}`} />
        <span className="truncate text-soft">{account.account}</span>
        {more > 0 && <span>and {more} more</span>}
        {hasWarning && <Tag tone="wait">Needs attention</Tag>}
      </>
    );
  }
  const [broken] = entry.accounts;
  if (broken)
    return <Tag tone={broken.lacking ? 'wait' : 'stop'}>{broken.lacking ? 'Missing permission' : 'Reconnect'}</Tag>;
  if (isFailing) return <Tag tone="stop">Reconnect</Tag>;
  const { supports } = entry.integration ?? {};
  return <>{[supports?.fetch && 'Read', supports?.act && share && writes[share]].filter(Boolean).join(' · ')}</>;
}
