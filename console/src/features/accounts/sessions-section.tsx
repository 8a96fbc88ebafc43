import { useQuery } from '@tanstack/react-query';
import { Card } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { ErrorState, Skeleton } from '../../design/states.tsx';
import { meQuery } from '../../entities/me.ts';
import { sessionsQuery } from './requests.ts';
import { SessionRow } from './session-row.tsx';

/** Where the person is signed in to the console, with buttons to end sessions. */
export function SessionsSection() {
  const { data: sessions, error, isPending, refetch } = useQuery(sessionsQuery);
  const { data: me } = useQuery(meQuery);
  const own = sessions?.filter(({ person }) => person.id === me?.person.id);
  return (
    <Section title="Sessions" lead="Browsers that are signed in. End a session if you lost the device.">
      <Card>
        {isPending && <Skeleton label="Loading sessions" />}
        {error && <ErrorState error={error} onRetry={() => void refetch()} />}
        <ul className="divide-y divide-line">
          {own?.map((session) => (
            <SessionRow key={session.session_id} of={session} isOwn />
          ))}
        </ul>
      </Card>
    </Section>
  );
}
