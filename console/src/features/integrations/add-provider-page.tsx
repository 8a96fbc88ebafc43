import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { BackLink } from '../../design/back-link.tsx';
import { Card, Page } from '../../design/page.tsx';
import { ErrorState, Notice, Skeleton } from '../../design/states.tsx';
import { meQuery } from '../../entities/me.ts';
import { CustomProviderForm } from '../connections/custom-provider-form.tsx';
import { providersQuery } from '../connections/requests.ts';

/** Sets up a service with OAuth that this server does not know. */
export function AddProviderPage() {
  const { data: me } = useQuery(meQuery);
  const { data: configs, error, refetch } = useQuery(providersQuery);
  const navigate = useNavigate();
  const redirectUri = configs?.find(({ oauth }) => oauth)?.oauth?.redirect_uri;
  const isMember = me?.person.role === 'member';
  return (
    <Page
      title="Add provider"
      back={<BackLink to="/integrations">All integrations</BackLink>}
      lead="Connect any service that supports OAuth 2.0. You find these URLs in its developer documentation."
    >
      {error && <ErrorState error={error} onRetry={refetch} />}
      {isMember && <Notice tone="plain">Only admins can add providers. Ask an admin of this workspace.</Notice>}
      {!error && (!redirectUri || !me) && <Skeleton label="Loading" />}
      {redirectUri && me && !isMember && (
        <Card className="p-5 sm:p-6">
          <CustomProviderForm
            config={null}
            redirectUri={redirectUri}
            onDone={(source) => void navigate({ to: '/integrations/$source', params: { source }, search: {} })}
          />
        </Card>
      )}
    </Page>
  );
}
