import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { joinClassNames } from '../../design/class-names.ts';
import { ObjectPage } from '../../design/object-page.tsx';
import { Card, Tag } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { ErrorState, Notice } from '../../design/states.tsx';
import { notifyFailure } from '../../design/toasts.tsx';
import { meQuery } from '../../entities/me.ts';
import { useUnasked, type AllowedShare } from '../actions/without-approval.ts';
import { AccessField, type Access } from '../connections/access-field.tsx';
import { AccountsCard } from '../connections/accounts-card.tsx';
import { OwnerField } from '../connections/owner-field.tsx';
import { ProviderSetup } from '../connections/provider-setup.tsx';
import type { Owner, ProviderConfig } from '../connections/requests.ts';
import { TokenForm } from '../connections/token-form.tsx';
import { PhoneSection } from '../telegram/phone-section.tsx';
import { CameBackNotice, type CameBack } from './came-back.tsx';
import { ClientSection } from './client-section.tsx';
import { ConnectButton } from './connect-button.tsx';
import { Coverage } from './coverage.tsx';
import { PullCard } from './pull-card.tsx';
import { startSync, type Integration } from './requests.ts';
import { describedSources } from './shape-fields.tsx';
import { findWorkingConnection, type GalleryEntry } from './gallery-entries.ts';
import { SyncSection } from './sync-card.tsx';
import { useGallery } from './use-gallery.ts';

/** One integration: missing settings, accounts, permissions with reasons, and pulling. */
export function IntegrationPage({ source, ...cameBack }: CameBack & { source: string }) {
  const { entries: shown, error, refetch } = useGallery();
  // A provider's name in the URL opens its first source.
  const entry = shown?.find(({ name }) => name === source) ?? shown?.find((each) => each.oauthProvider === source);
  return (
    <ObjectPage
      title={entry?.label ?? 'Integration'}
      lead={entry?.description}
      noun="integration"
      query={{ isPending: !shown, error, refetch }}
    >
      <CameBackNotice
        {...cameBack}
        mayWrite={entry?.integration?.supports.act ?? false}
        syncs={entry?.integration?.supports.fetch ?? false}
      />
      {shown && !entry && <ErrorState error={new Error(`This server has no integration “${source}”.`)} />}
      {entry && <Details entry={entry} />}
    </ObjectPage>
  );
}

const afterConnecting =
  'Once connected, the last 90 days sync into your personal brain, then changes every 15 minutes. You can stop that at any time.';

/** The link to the consent page, for the person or, as an admin, for the workspace. */
function ConnectSection({ entry }: { entry: GalleryEntry }) {
  const [owner, setOwner] = useState<Owner>('person');
  const [access, setAccess] = useState<Access>('act');
  const { name, label, oauthProvider: provider, isConfigured, integration } = entry;
  const asksMore = integration?.scopes.some((scope) => scope.for === 'act');
  return (
    <Section
      title={findWorkingConnection(entry) ? 'Connect another account' : 'Connect'}
      lead={integration?.supports.fetch && afterConnecting}
    >
      <Card className="flex flex-wrap items-end gap-3 p-5">
        {asksMore && <AccessField access={access} onChange={setAccess} />}
        <OwnerField owner={owner} onChange={setOwner} />
        <ConnectButton
          target={{ name, label, provider, isConfigured, isLinked: findWorkingConnection(entry) !== undefined }}
          returnTo={`/integrations/${name}`}
          owner={owner}
          access={access}
          isPrimary
        />
      </Card>
    </Section>
  );
}

function Details({ entry }: { entry: GalleryEntry }) {
  const { integration, config, accounts, isConfigured, oauthProvider } = entry;
  const isLinked = findWorkingConnection(entry) !== undefined;
  const canPull = integration?.supports.fetch && isLinked;
  return (
    <div className="space-y-8">
      {accounts.length > 0 && (
        <Section title="Accounts">
          <AccountsCard
            accounts={accounts}
            consent={isConfigured && oauthProvider ? { provider: oauthProvider, source: entry.name } : null}
          />
        </Section>
      )}
      {isConfigured && oauthProvider && <ConnectSection entry={entry} />}
      {entry.name === 'telegram' && isLinked && <PhoneSection />}
      {!isLinked && <ByToken entry={entry} />}
      {config?.oauth && oauthProvider && !isConfigured && <Setup config={config} />}
      {integration?.supports.fetch && <SyncSection integration={integration} />}
      {integration?.goes_back && <Coverage goesBack={integration.goes_back} notRead={integration.not_read} />}
      {canPull && integration && (
        <Section title="Fetch once">
          <PullCard integration={integration} />
        </Section>
      )}
      {isLinked && <ByToken entry={entry} />}
      {integration && integration.scopes.length > 0 && <Scopes integration={integration} />}
      {config?.oauth && isConfigured && <ClientSection config={config} oauth={config.oauth} />}
    </div>
  );
}

/** The form for a token or an address. It is collapsed if there is another way or a working account. */
function ByToken({ entry }: { entry: GalleryEntry }) {
  const { config, oauthProvider, label, isConfigured } = entry;
  const isLinked = findWorkingConnection(entry) !== undefined;
  const [isOpened, setIsOpened] = useState(false);
  const queryClient = useQueryClient();
  const syncs = entry.integration?.supports.fetch && !describedSources.includes(entry.name);
  const startFirstSync = async (account: string) => {
    await startSync({ source: entry.name, account }).catch((error: unknown) =>
      notifyFailure('Sync not started', error),
    );
    await queryClient.invalidateQueries({ queryKey: ['syncs'] });
  };
  if (!config?.token) return null;
  const isOpen = isOpened || !(isLinked || isConfigured);
  return (
    <Section
      title={oauthProvider ? 'Connect with a token' : isLinked ? `Connect another ${label}` : `Connect ${label}`}
      lead={!isOpen && oauthProvider ? 'For accounts that do not use OAuth.' : undefined}
      action={
        !isOpen && (
          <Button size="small" onClick={() => setIsOpened(true)}>
            {oauthProvider ? 'Use a token' : 'Connect another'}
          </Button>
        )
      }
    >
      {isOpen && (
        <Card className="p-5 sm:p-6">
          <TokenForm
            key={config.provider}
            provider={config.provider}
            label={config.label}
            token={config.token}
            note={syncs ? afterConnecting : undefined}
            onConnected={syncs ? startFirstSync : undefined}
          />
        </Card>
      )}
    </Section>
  );
}

const approvals: Record<AllowedShare, string> = {
  none: 'Sends, changes and deletes only with your approval.',
  some: 'Your rules allow some actions without approval.',
  all: 'Your rules allow all actions without approval.',
};

function Scopes({ integration: { name, scopes, supports } }: { integration: Integration }) {
  const share = useUnasked(name);
  return (
    <Section title="Permissions">
      <Card>
        <ul className="divide-y divide-line">
          {scopes.map(({ scope, why, for: capability }) => (
            <li key={scope} className="px-5 py-3.5">
              <p className="flex flex-wrap items-baseline justify-between gap-2 text-sm">
                {why} {capability === 'act' && <Tag>Write</Tag>}
              </p>
              <p className="mt-0.5 font-mono text-xs text-faint wrap-anywhere">{scope}</p>
            </li>
          ))}
        </ul>
        {supports.act && share && (
          <p
            className={joinClassNames(
              'flex gap-2.5 border-t border-line px-5 py-3 text-sm last:rounded-b-2xl',
              share === 'none' ? 'bg-go-wash text-go' : 'bg-wait-wash text-wait',
            )}
          >
            <ShieldCheck className="mt-0.5 size-4 shrink-0" aria-hidden />
            {approvals[share]}
          </p>
        )}
      </Card>
    </Section>
  );
}

/** The form for a missing OAuth client. It is collapsed if a token works, too. */
function Setup({ config }: { config: ProviderConfig }) {
  const [isOpen, setIsOpen] = useState(config.token === null);
  const { data: me } = useQuery(meQuery);
  const isMember = me?.person.role === 'member';
  return (
    <Section
      title={`Set up ${config.label} for the workspace`}
      lead="Do this once. Then everyone connects an account with one click."
      action={
        !isOpen &&
        !isMember && (
          <Button size="small" onClick={() => setIsOpen(true)}>
            Set up
          </Button>
        )
      }
    >
      {isMember && <Notice tone="plain">An admin of the workspace sets {config.label} up. Ask one of them.</Notice>}
      {isOpen && !isMember && (
        <Card className="p-5 sm:p-6">
          <ProviderSetup config={config} />
        </Card>
      )}
    </Section>
  );
}
