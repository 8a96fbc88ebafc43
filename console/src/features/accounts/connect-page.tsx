import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Globe, Plus } from 'lucide-react';
import { getButtonClass } from '../../design/button.tsx';
import { joinClassNames } from '../../design/class-names.ts';
import { CopyBox } from '../../design/copy-box.tsx';
import { ObjectPage } from '../../design/object-page.tsx';
import { Card } from '../../design/page.tsx';
import { Notice } from '../../design/states.tsx';
import { useUnasked } from '../actions/without-approval.ts';
import { clients, type Client, type ConnectWay } from './clients.ts';
import { FirstCall } from './first-call.tsx';
import { Instruction } from './instruction.tsx';
import { MakeKey } from './make-key.tsx';
import { buildFreshKeyQuery, oauthQuery } from './requests.ts';
import { isPublicServer, getMcpUrl } from './server-address.ts';
import { sharedMemory } from './shared-memory.ts';
import { StepList } from '../../design/step-list.tsx';

const firstSentence = 'Always store important information to my brain.';

export type WayName = 'url' | 'key';
type Props = { clientId: string | undefined; way: WayName | undefined };

/** Connects an agent: choose it, add the URL or a key, and see its first call arrive. */
export function ConnectPage({ clientId, way: asked }: Props) {
  const share = useUnasked();
  const { data: hasOauth } = useQuery(oauthQuery);
  const client = clients.find(({ id }) => id === clientId) ?? clients[0];
  if (!client) return null;
  const way = client.key ? (asked ?? (hasOauth === false ? 'key' : 'url')) : 'url';
  return (
    <ObjectPage title="Connect an agent" noun="connection" lead={share && sharedMemory[share]}>
      <div className="grid gap-6 md:grid-cols-[13rem_minmax(0,1fr)]">
        <ClientList chosen={client.id} way={asked} />
        <Card className="min-w-0">
          {client.key && <WayTabs client={client.id} chosen={way} />}
          {way === 'key' && client.key ? (
            <StepsWithKey key={client.id} client={client} way={client.key} />
          ) : (
            <StepsWithUrl key={client.id} client={client} hasOauth={hasOauth ?? true} />
          )}
        </Card>
      </div>
    </ObjectPage>
  );
}

function ClientList({ chosen, way }: { chosen: string; way: WayName | undefined }) {
  return (
    <nav aria-label="Clients" className="-mx-4 flex gap-1 overflow-x-auto px-4 pb-1 md:mx-0 md:flex-col md:px-0">
      {clients.map(({ id, name, place }) => (
        <Link
          key={id}
          to="/agents/connect"
          search={{ client: id, ...(way && { with: way }) }}
          replace
          aria-current={id === chosen ? 'page' : undefined}
          className={joinClassNames(
            'shrink-0 rounded-xl border px-3.5 py-2 text-left transition-colors',
            id === chosen
              ? 'border-line bg-surface text-ink shadow-card'
              : 'border-transparent text-soft hover:bg-hover hover:text-ink',
          )}
        >
          <span className="block text-sm font-medium">{name}</span>
          <span className="block text-xs text-faint">{place}</span>
        </Link>
      ))}
    </nav>
  );
}

const wayWords: Record<WayName, string> = { url: 'Sign in with the URL', key: 'Use a key' };

function WayTabs({ client, chosen }: { client: string; chosen: WayName }) {
  return (
    <nav aria-label="How to connect" className="flex gap-1 border-b border-line px-4 py-2.5 sm:px-6">
      {(['url', 'key'] as const).map((way) => (
        <Link
          key={way}
          to="/agents/connect"
          search={{ client, with: way }}
          replace
          aria-current={way === chosen ? 'page' : undefined}
          className="flex h-8 items-center rounded-lg px-3 text-sm text-soft hover:bg-hover hover:text-ink aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-ink"
        >
          {wayWords[way]}
        </Link>
      ))}
    </nav>
  );
}

function StepsWithUrl({ client, hasOauth }: { client: Client; hasOauth: boolean }) {
  const { url: way, name } = client;
  return (
    <StepList>
      <StepList.Step title="Copy the MCP URL">
        <CopyBox text={getMcpUrl()} label="MCP URL" />
        {!hasOauth && (
          <Notice tone="wait" icon={<Globe />}>
            This server does not offer sign-in by URL. Use a key.
          </Notice>
        )}
        {way.isRemote && !isPublicServer() && (
          <Notice tone="wait" icon={<Globe />}>
            {name} connects from the internet and cannot reach {location.host}. Give the server a public https address
            (THALAMUS_PUBLIC_URL) first.
          </Notice>
        )}
      </StepList.Step>
      <StepList.Step title={`Add it to ${name}`}>
        {way.installLink && (
          <a href={way.installLink(getMcpUrl())} className={getButtonClass('primary')}>
            <Plus className="size-4" aria-hidden /> Add to {name}
          </a>
        )}
        <Instructions way={way} name={name} secret="" />
      </StepList.Step>
      <StepList.Step title="Then tell your agent">
        <CopyBox text={firstSentence} label="first sentence" />
        <p className="text-sm text-soft">
          It appears under{' '}
          <Link to="/agents" className="font-medium underline decoration-edge underline-offset-4 hover:decoration-ink">
            Agents
          </Link>{' '}
          as soon as you allow it.
        </p>
      </StepList.Step>
    </StepList>
  );
}

function StepsWithKey({ client, way }: { client: Client; way: ConnectWay }) {
  const { data: made } = useQuery(buildFreshKeyQuery(client.id));
  return (
    <StepList>
      <StepList.Step title="Copy the MCP URL">
        <CopyBox text={getMcpUrl()} label="MCP URL" />
      </StepList.Step>
      <StepList.Step title={made ? 'Copy the key' : 'Create a key'}>
        <MakeKey client={client} made={made} />
      </StepList.Step>
      <StepList.Step title="Paste the config">
        <Instructions way={way} name={client.name} secret={made?.key ?? 'cm_…'} />
      </StepList.Step>
      <StepList.Step title="Then tell your agent">
        <CopyBox text={firstSentence} label="first sentence" />
      </StepList.Step>
      {made && (
        <StepList.Step title="Wait for its first call">
          <FirstCall keyId={made.key_id} name={client.name} />
        </StepList.Step>
      )}
    </StepList>
  );
}

function Instructions({ way, name, secret }: { way: ConnectWay; name: string; secret: string }) {
  return (
    <>
      <ol className="list-decimal space-y-1.5 pl-4.5 text-sm leading-relaxed text-soft marker:text-faint">
        {way.steps.map((step) => (
          <li key={step} className="pl-1">
            <Instruction text={step} />
          </li>
        ))}
      </ol>
      {way.config && (
        <CopyBox
          isBlock
          title={way.config.file}
          text={way.config.write(getMcpUrl(), secret)}
          label={`config for ${name}`}
        />
      )}
      {way.note && <p className="text-[13px] leading-relaxed text-faint">{way.note}</p>}
    </>
  );
}
