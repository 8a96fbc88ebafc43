import {
  Blocks,
  Bot,
  BrainCircuit,
  Braces,
  Cable,
  ChartColumn,
  House,
  Inbox,
  Library,
  Network,
  Settings,
  ShieldCheck,
  Users,
  Webhook,
  Workflow,
  type LucideIcon,
} from 'lucide-react';
import type { Me } from '../features/accounts/requests.ts';

export type Destination = {
  to: DestinationPath;
  label: string;
  icon: LucideIcon;
  /** Typed after `g`. */
  key: string;
  /** The permission without which the page is not shown. */
  needs?: Me['scopes'][number];
};

type DestinationPath =
  | '/'
  | '/inbox'
  | '/memory'
  | '/library'
  | '/agents'
  | '/integrations'
  | '/rules'
  | '/secrets'
  | '/automations'
  | '/connectors'
  | '/webhooks'
  | '/people'
  | '/brains'
  | '/usage'
  | '/settings';

export type DestinationGroup = { title: 'Work' | 'Set up' | 'Workspace'; destinations: readonly Destination[] };

const groups: readonly DestinationGroup[] = [
  {
    title: 'Work',
    destinations: [
      { to: '/', label: 'Home', icon: House, key: 'h' },
      { to: '/inbox', label: 'Inbox', icon: Inbox, key: 'i', needs: 'actions:read' },
      { to: '/memory', label: 'Memory', icon: BrainCircuit, key: 'm', needs: 'memory:read' },
      { to: '/library', label: 'Library', icon: Library, key: 'l', needs: 'pages:read' },
    ],
  },
  {
    title: 'Set up',
    destinations: [
      { to: '/agents', label: 'Agents', icon: Bot, key: 'a', needs: 'keys:read' },
      { to: '/integrations', label: 'Integrations', icon: Blocks, key: 't', needs: 'integrations:read' },
      { to: '/rules', label: 'Rules', icon: ShieldCheck, key: 'r', needs: 'actions:read' },
      { to: '/secrets', label: 'Secrets', icon: Braces, key: 's', needs: 'variables:read' },
      { to: '/connectors', label: 'Connectors', icon: Cable, key: 'c', needs: 'connectors:read' },
      { to: '/webhooks', label: 'Webhooks', icon: Webhook, key: 'w', needs: 'connectors:read' },
      { to: '/automations', label: 'Automations', icon: Workflow, key: 'o', needs: 'automations:read' },
    ],
  },
  {
    title: 'Workspace',
    destinations: [
      { to: '/people', label: 'People', icon: Users, key: 'p', needs: 'brains:read' },
      { to: '/brains', label: 'Brains', icon: Network, key: 'b', needs: 'brains:read' },
      { to: '/usage', label: 'Usage', icon: ChartColumn, key: 'u', needs: 'usage:read' },
      { to: '/settings', label: 'Settings', icon: Settings, key: 'e', needs: 'workspace:admin' },
    ],
  },
];

/** The pages by group, without those that this person may not use. */
export function groupsFor(scopes: readonly string[]): readonly DestinationGroup[] {
  return groups.map(({ title, destinations }) => ({
    title,
    destinations: destinations.filter(({ needs }) => !needs || scopes.includes(needs)),
  }));
}
