import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Globe, KeyRound } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { classNames } from '../../design/class-names.ts';
import { CopyBox } from '../../design/copy-box.tsx';
import { SelectField } from '../../design/field.tsx';
import { Card, Page } from '../../design/page.tsx';
import { Notice } from '../../design/states.tsx';
import { tellFailure } from '../../design/toasts.tsx';
import type { Rule } from '../actions/policy-requests.ts';
import { useUnasked, type Share } from '../actions/unasked.ts';
import { clients, type Client } from './clients.ts';
import { FirstCall } from './first-call.tsx';
import { keyRules } from './key-rules.ts';
import { createKey, freshKeyQuery, oauthQuery, type NewKey } from './requests.ts';
import { StepList } from './step-list.tsx';

const firstSentence = 'Always store important information to my brain.';

const changes: Record<Share, string> = {
  none: 'What it wants to change outside waits for you in the inbox.',
  some: 'What the policy asks about waits for you in the inbox. Some actions go without asking.',
  all: 'The policy lets it change things outside without asking.',
};

/** Connects an agent: pick it, make its key, paste, say the first sentence, and see its first call arrive. */
export function ConnectPage({ clientId }: { clientId: string | undefined }) {
  const share = useUnasked();
  const client = clients.find(({ id }) => id === clientId) ?? clients[0];
  const queryClient = useQueryClient();
  const { data: made } = useQuery(freshKeyQuery(client?.id ?? ''));
  const making = useMutation({
    mutationFn: ({ of, rules }: { of: Client; rules: readonly Rule[] }) =>
      createKey({ label: of.id === 'other' ? 'My agent' : of.name, rules }),
    onSuccess: (key, { of }) => {
      queryClient.setQueryData(freshKeyQuery(of.id).queryKey, key);
      return queryClient.invalidateQueries({ queryKey: ['accounts', 'keys'] });
    },
    onError: (error) => tellFailure('The key was not made', error),
  });
  if (!client) return null;
  return (
    <Page title="Connect your agent" lead={`Every agent you connect shares one memory. ${share ? changes[share] : ''}`}>
      <div className="grid gap-6 md:grid-cols-[13rem_minmax(0,1fr)]">
        <ClientList chosen={client.id} />
        <Card className="min-w-0">
          <Steps
            key={client.id}
            client={client}
            made={made}
            isMaking={making.isPending && making.variables.of.id === client.id}
            onMake={(rules) => making.mutate({ of: client, rules })}
          />
        </Card>
      </div>
    </Page>
  );
}

function ClientList({ chosen }: { chosen: string }) {
  return (
    <nav aria-label="Agents" className="-mx-4 flex gap-1 overflow-x-auto px-4 pb-1 md:mx-0 md:flex-col md:px-0">
      {clients.map(({ id, name, place }) => (
        <Link
          key={id}
          to="/connect"
          search={{ client: id }}
          replace
          aria-current={id === chosen ? 'page' : undefined}
          className={classNames(
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

type StepsProps = {
  client: Client;
  made: NewKey | undefined;
  isMaking: boolean;
  onMake: (rules: readonly Rule[]) => void;
};

function Steps({ client, made, isMaking, onMake }: StepsProps) {
  const url = `${location.origin}/mcp`;
  const snippet = client.config?.write(url, made?.key ?? 'cm_…');
  return (
    <StepList>
      <StepList.Step title="The MCP URL">
        <CopyBox text={url} label="MCP URL" />
        {client.isRemote && <RemoteNotice name={client.name} />}
      </StepList.Step>
      {client.config && (
        <StepList.Step title={made ? 'Its key is in the config below' : 'Make its key'}>
          {made ? (
            <Notice tone="go" icon={<KeyRound />}>
              Copy now: the key is shown this once. It lets {client.name} remember and draft, never approve.
            </Notice>
          ) : (
            <MakeKey name={client.id === 'other' ? 'my agent' : client.name} isMaking={isMaking} onMake={onMake} />
          )}
        </StepList.Step>
      )}
      <StepList.Step title={client.config ? 'Paste the config' : `Set it up in ${client.name}`}>
        <ol className="list-decimal space-y-1.5 pl-4.5 text-sm leading-relaxed text-soft marker:text-faint">
          {client.steps.map((step) => (
            <li key={step} className="pl-1">
              <Instruction text={step} />
            </li>
          ))}
        </ol>
        {snippet && client.config && (
          <CopyBox isBlock title={client.config.file} text={snippet} label={`config for ${client.name}`} />
        )}
        {client.note && <p className="text-[13px] leading-relaxed text-faint">{client.note}</p>}
      </StepList.Step>
      <StepList.Step title="Say this first">
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

function MakeKey({ name, isMaking, onMake }: { name: string } & Pick<StepsProps, 'isMaking' | 'onMake'>) {
  const [chosen, setChosen] = useState(keyRules[0]?.id);
  const rules = keyRules.find(({ id }) => id === chosen)?.rules ?? [];
  return (
    <div className="space-y-4">
      <SelectField label="It may write outside" value={chosen} onChange={(event) => setChosen(event.target.value)}>
        {keyRules.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </SelectField>
      <div className="flex flex-wrap items-center gap-3">
        <Button look="primary" icon={<KeyRound className="size-4" />} isBusy={isMaking} onClick={() => onMake(rules)}>
          Make a key for {name}
        </Button>
        <p className="text-[13px] text-faint">It may remember and draft. It can never approve.</p>
      </div>
    </div>
  );
}

/** What stands in the way of a client that connects from the internet. */
function RemoteNotice({ name }: { name: string }) {
  const { data: hasOauth = true } = useQuery(oauthQuery);
  if (!hasOauth)
    return (
      <Notice tone="wait" icon={<Globe />}>
        {name} signs in by OAuth, which this version of the server does not offer yet. Choose another client until it
        does.
      </Notice>
    );
  if (isPublic(location.hostname)) return null;
  return (
    <Notice tone="wait" icon={<Globe />}>
      {name} connects from the internet, and {location.host} is only reachable here. Give the server a public https
      address (THALAMUS_PUBLIC_URL) first.
    </Notice>
  );
}

/** A step's text; what stands in backquotes is to be typed. */
function Instruction({ text }: { text: string }) {
  return text.split('`').map((part, at) =>
    at % 2 ? (
      <code key={part} className="rounded bg-sunken px-1 py-0.5 font-mono text-[13px] text-ink">
        {part}
      </code>
    ) : (
      part
    ),
  );
}

function isPublic(hostname: string): boolean {
  return location.protocol === 'https:' && hostname.includes('.') && !/^(127|10|192\.168)\.|\.local$/.test(hostname);
}
