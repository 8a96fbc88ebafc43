import { useQuery } from '@tanstack/react-query';
// Home is neither a list, an object nor a form, so none of the five page forms fits.
// oxlint-disable-next-line no-restricted-imports
import { PageFrame } from '../../design/page-frame.tsx';
import { useNow } from '../../design/time.tsx';
import { hasFullAccess } from '../accounts/agents.ts';
import { meQuery } from '../../entities/me.ts';
import { useAgents } from '../accounts/use-agents.ts';
import { integrationsQuery } from '../integrations/requests.ts';
import { newestMemoriesQuery } from '../memory/requests.ts';
import { FirstSteps, listFirstSteps } from './first-steps.tsx';
import { NewestMemories } from './newest-memories.tsx';
import { Relay } from './relay.tsx';
import { SharedBrains } from './shared-brains.tsx';
import { SuggestionsNotice } from './suggestions-notice.tsx';
import { WaitingCard } from './waiting-card.tsx';

/** The state of things at a glance; until everything is set up, the steps that lead there come first. */
export function HomePage() {
  const { data: me } = useQuery(meQuery);
  const { agents } = useAgents(useNow(60_000));
  const { data: integrations } = useQuery(integrationsQuery);
  const { data: memories } = useQuery(newestMemoriesQuery);
  const isConnected = agents?.some((agent) => !agent.revokedAt && !hasFullAccess(agent) && agent.lastUsedAt !== null);
  const steps =
    isConnected !== undefined && memories
      ? listFirstSteps({ isConnected, integrations: integrations ?? [], memories: memories.total })
      : undefined;
  const isSetUp = steps?.every(({ isDone }) => isDone);
  return (
    <PageFrame title={formatGreeting(new Date(), me?.person.name)}>
      <div className="space-y-6">
        {steps && !isSetUp && <FirstSteps steps={steps} />}
        <SuggestionsNotice />
        <SharedBrains />
        <Relay />
        <div className="grid gap-6 lg:grid-cols-2">
          <WaitingCard />
          <NewestMemories />
        </div>
      </div>
    </PageFrame>
  );
}

function formatGreeting(now: Date, name: string | undefined): string {
  const hour = now.getHours();
  const word = hour < 5 ? 'Good night' : hour < 12 ? 'Good morning' : hour < 18 ? 'Good afternoon' : 'Good evening';
  return name && name !== 'Owner' ? `${word}, ${name.split(' ')[0]}` : word;
}
