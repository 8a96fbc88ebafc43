import { createRoute } from '@tanstack/react-router';
import { defineFeature } from '../../routing/feature.ts';
import { readChoice, readText, type Search } from '../../routing/search.ts';
import { createPageRoute, shellRoute } from '../../routing/shell-route.ts';
import { AccountPage } from './account-page.tsx';
import { AgentsPage } from './agents-page.tsx';
import { ConfirmAddressPage } from './confirm-address-page.tsx';
import { ConnectPage, type WayName } from './connect-page.tsx';
import { proveRoute, signInRoute, signUpRoute } from './entrances.tsx';
import { PeoplePage } from './people-page.tsx';
import { WorkspaceSettingsPage } from './settings-page.tsx';

const wayNames: readonly WayName[] = ['url', 'key'];

/** The client and its way to connect. */
function readClientAddress(search: Search): { client?: string | undefined; with?: WayName | undefined } {
  return { client: readText(search['client']), with: readChoice(search['with'], wayNames) };
}

/** The agent whose drawer is open. */
function readAgentAddress(search: Search): { agent?: string | undefined } {
  return { agent: readText(search['agent']) };
}

const connectRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/agents/connect',
  validateSearch: readClientAddress,
  component: function Connect() {
    const { client, with: way } = connectRoute.useSearch();
    return <ConnectPage clientId={client} way={way} />;
  },
});

const agentsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/agents',
  validateSearch: readAgentAddress,
  component: function Agents() {
    const navigate = agentsRoute.useNavigate();
    return (
      <AgentsPage
        agentId={agentsRoute.useSearch().agent}
        onOpen={(agent) => void navigate({ search: { agent }, resetScroll: false })}
      />
    );
  },
});

/** Agents, people, the workspace, and the account of the person. */
export const accounts = defineFeature({
  entrances: [signInRoute, signUpRoute, proveRoute],
  routes: [
    agentsRoute,
    connectRoute,
    createPageRoute('/people', PeoplePage),
    createPageRoute('/settings', WorkspaceSettingsPage),
    createPageRoute('/account', AccountPage),
    createPageRoute('/account/address', ConfirmAddressPage),
  ],
  menu: [
    { place: 'Agents', tab: 'Agents', to: '/agents', key: 'a', needs: 'keys:read' },
    { place: 'People', to: '/people', key: 'p', needs: 'brains:read' },
    { place: 'Settings', to: '/settings', key: 'e', needs: 'workspace:admin' },
    { place: 'My account', tab: 'Profile', to: '/account' },
  ],
});
