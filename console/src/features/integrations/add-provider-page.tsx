import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Card } from '../../design/page.tsx';
import { BackToList } from '../../design/page-frame.tsx';
import { SettingsPage } from '../../design/settings-page.tsx';
import { Notice } from '../../design/states.tsx';
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
    <SettingsPage
      title="Add provider"
      lead="Connect any service that supports OAuth 2.0. You find these URLs in its developer documentation."
      back={<BackToList />}
      query={{ isPending: !redirectUri || !me, error, refetch }}
      after={
        isMember ? (
          <Notice tone="plain">Only admins can add providers. Ask an admin of this workspace.</Notice>
        ) : (
          redirectUri && (
            <Card className="p-5 sm:p-6">
              <CustomProviderForm
                config={null}
                redirectUri={redirectUri}
                onDone={(source) => void navigate({ to: '/integrations/$source', params: { source }, search: {} })}
              />
            </Card>
          )
        )
      }
    />
  );
}
