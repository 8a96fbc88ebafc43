import { createRoute, createRouter } from '@tanstack/react-router';
import { AccountPage } from './features/accounts/account-page.tsx';
import { ConfirmAddressPage } from './features/accounts/confirm-address-page.tsx';
import { ConnectPage } from './features/accounts/connect-page.tsx';
import { AgentsPage } from './features/accounts/agents-page.tsx';
import { PeoplePage } from './features/accounts/people-page.tsx';
import { SettingsPage } from './features/accounts/settings-page.tsx';
import { HistoryPage } from './features/actions/history-page.tsx';
import { InboxPage } from './features/actions/inbox-page.tsx';
import { PolicyPage } from './features/actions/policy-page.tsx';
import { AutomationPage } from './features/automations/automation-page.tsx';
import { AutomationsPage } from './features/automations/automations-page.tsx';
import { BrainsPage } from './features/brains/brains-page.tsx';
import { ConnectorsPage } from './features/ingest/connectors-page.tsx';
import { AddProviderPage } from './features/integrations/add-provider-page.tsx';
import { IntegrationPage } from './features/integrations/integration-page.tsx';
import { IntegrationsPage } from './features/integrations/integrations-page.tsx';
import { ContradictionsPage } from './features/memory/contradictions-page.tsx';
import { DuplicatesPage } from './features/memory/duplicates-page.tsx';
import { GraphPage } from './features/memory/graph-page.tsx';
import { MemoryPage } from './features/memory/memory-page.tsx';
import { NotificationsPage } from './features/notifications/notifications-page.tsx';
import { UsagePage } from './features/usage/usage-page.tsx';
import { VariablesPage } from './features/variables/variables-page.tsx';
import { HomePage } from './home/home-page.tsx';
import {
  agentAddress,
  brainAddress,
  clientAddress,
  connectionAddress,
  contradictionsAddress,
  duplicatesAddress,
  graphAddress,
  memoryAddress,
  usageAddress,
} from './addresses.ts';
import { proveRoute, signInRoute, signUpRoute } from './entrance-routes.tsx';
import { libraryRoutes } from './library-routes.tsx';
import { rootRoute } from './root-route.tsx';
import { webhookRoutes } from './webhook-routes.tsx';
import { pageAt, shellRoute } from './shell-route.tsx';
import { PageFailed } from './shell/dead-ends.tsx';

const homeRoute = pageAt('/', HomePage);

const inboxRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/inbox',
  component: () => <InboxPage draftId={undefined} />,
});

const historyRoute = pageAt('/inbox/history', HistoryPage);

const draftRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/inbox/$draftId',
  component: function Draft() {
    return <InboxPage draftId={draftRoute.useParams().draftId} />;
  },
});

const memoryRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/memory',
  validateSearch: memoryAddress,
  component: function Memory() {
    const navigate = memoryRoute.useNavigate();
    return (
      <MemoryPage
        address={memoryRoute.useSearch()}
        onChange={(change) =>
          void navigate({ search: (search) => ({ ...search, ...change }), replace: true, resetScroll: false })
        }
        onOpen={(memory) => void navigate({ search: (search) => ({ ...search, memory }), resetScroll: false })}
      />
    );
  },
});

const duplicatesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/memory/duplicates',
  validateSearch: duplicatesAddress,
  component: function Duplicates() {
    const navigate = duplicatesRoute.useNavigate();
    return (
      <DuplicatesPage
        address={duplicatesRoute.useSearch()}
        onChange={(search) => void navigate({ search, resetScroll: false })}
      />
    );
  },
});

const contradictionsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/memory/contradictions',
  validateSearch: contradictionsAddress,
  component: function Contradictions() {
    const navigate = contradictionsRoute.useNavigate();
    return (
      <ContradictionsPage
        address={contradictionsRoute.useSearch()}
        onChange={(search) => void navigate({ search, resetScroll: false })}
      />
    );
  },
});

const graphRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/memory/graph',
  validateSearch: graphAddress,
  component: function Graph() {
    const navigate = graphRoute.useNavigate();
    return (
      <GraphPage
        address={graphRoute.useSearch()}
        onChange={(change) => void navigate({ search: (search) => ({ ...search, ...change }), resetScroll: false })}
      />
    );
  },
});

const brainsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/brains',
  validateSearch: brainAddress,
  component: function Brains() {
    const navigate = brainsRoute.useNavigate();
    return (
      <BrainsPage
        brainId={undefined}
        address={brainsRoute.useSearch()}
        onChange={(change) => void navigate({ search: (search) => ({ ...search, ...change }), resetScroll: false })}
      />
    );
  },
});

const brainRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/brains/$brainId',
  validateSearch: brainAddress,
  component: function Brain() {
    const navigate = brainRoute.useNavigate();
    return (
      <BrainsPage
        brainId={brainRoute.useParams().brainId}
        address={brainRoute.useSearch()}
        onChange={(change) => void navigate({ search: (search) => ({ ...search, ...change }), resetScroll: false })}
      />
    );
  },
});

const integrationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/integrations',
  validateSearch: connectionAddress,
  component: function Integrations() {
    return <IntegrationsPage {...integrationsRoute.useSearch()} />;
  },
});

const addProviderRoute = pageAt('/integrations/add', AddProviderPage);

const integrationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/integrations/$source',
  validateSearch: connectionAddress,
  component: function Integration() {
    return <IntegrationPage {...integrationRoute.useSearch()} source={integrationRoute.useParams().source} />;
  },
});

const connectRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/agents/connect',
  validateSearch: clientAddress,
  component: function Connect() {
    const { client, with: way } = connectRoute.useSearch();
    return <ConnectPage clientId={client} way={way} />;
  },
});

const agentsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/agents',
  validateSearch: agentAddress,
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

const usageRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/usage',
  validateSearch: usageAddress,
  component: function Usage() {
    const navigate = usageRoute.useNavigate();
    return (
      <UsagePage
        address={usageRoute.useSearch()}
        onChange={(search) => void navigate({ search, replace: true, resetScroll: false })}
      />
    );
  },
});
const policyRoute = pageAt('/rules', PolicyPage);

const variablesRoute = pageAt('/secrets', VariablesPage);

const peopleRoute = pageAt('/people', PeoplePage);

const settingsRoute = pageAt('/settings', SettingsPage);

const accountRoute = pageAt('/account', AccountPage);

const confirmAddressRoute = pageAt('/account/address', ConfirmAddressPage);

const notificationsRoute = pageAt('/account/notifications', NotificationsPage);

const automationsRoute = pageAt('/automations', AutomationsPage);

const automationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/automations/$automationId',
  component: function Automation() {
    return <AutomationPage automationId={automationRoute.useParams().automationId} />;
  },
});

const connectorsRoute = pageAt('/connectors', ConnectorsPage);

const routeTree = rootRoute.addChildren([
  signInRoute,
  signUpRoute,
  proveRoute,
  shellRoute.addChildren([
    homeRoute,
    inboxRoute,
    historyRoute,
    draftRoute,
    memoryRoute,
    duplicatesRoute,
    contradictionsRoute,
    graphRoute,
    ...libraryRoutes,
    brainsRoute,
    brainRoute,
    integrationsRoute,
    addProviderRoute,
    integrationRoute,
    connectRoute,
    agentsRoute,
    usageRoute,
    policyRoute,
    variablesRoute,
    peopleRoute,
    settingsRoute,
    accountRoute,
    confirmAddressRoute,
    notificationsRoute,
    automationsRoute,
    automationRoute,
    connectorsRoute,
    ...webhookRoutes,
  ]),
]);

/** Every address of the console and the page it shows. */
export const router = createRouter({
  routeTree,
  defaultPreload: false,
  scrollRestoration: true,
  defaultErrorComponent: PageFailed,
});

declare module '@tanstack/react-router' {
  // Declaration merging needs an interface.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface Register {
    router: typeof router;
  }
}
