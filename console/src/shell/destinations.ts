import {
  Blocks,
  Braces,
  BrainCircuit,
  ChartColumn,
  FileText,
  House,
  Inbox,
  KeyRound,
  Network,
  Plug,
  UserCheck,
  ShieldCheck,
  Table2,
  Workflow,
  type LucideIcon,
} from 'lucide-react';

export type Destination = { to: DestinationPath; label: string; icon: LucideIcon; key: string };

type DestinationPath =
  | '/'
  | '/inbox'
  | '/memory'
  | '/pages'
  | '/integrations'
  | '/brains'
  | '/connect'
  | '/keys'
  | '/usage'
  | '/policy'
  | '/variables'
  | '/approvals'
  | '/automations'
  | '/boards';

/** Where a person goes every day. `key` is typed after `g`. */
export const daily: readonly Destination[] = [
  { to: '/', label: 'Home', icon: House, key: 'h' },
  { to: '/inbox', label: 'Inbox', icon: Inbox, key: 'i' },
  { to: '/memory', label: 'Memory', icon: BrainCircuit, key: 'm' },
  { to: '/pages', label: 'Pages', icon: FileText, key: 'p' },
];

/** Where a person goes to set things up. */
export const setUp: readonly Destination[] = [
  { to: '/integrations', label: 'Integrations', icon: Blocks, key: 't' },
  { to: '/automations', label: 'Automations', icon: Workflow, key: 'a' },
  { to: '/boards', label: 'Boards', icon: Table2, key: 'd' },
  { to: '/connect', label: 'Connect an agent', icon: Plug, key: 'c' },
  { to: '/brains', label: 'Brains', icon: Network, key: 'b' },
  { to: '/keys', label: 'Keys', icon: KeyRound, key: 'k' },
  { to: '/usage', label: 'Usage', icon: ChartColumn, key: 'u' },
  { to: '/policy', label: 'Policy', icon: ShieldCheck, key: 'y' },
  { to: '/variables', label: 'Variables', icon: Braces, key: 'v' },
  { to: '/approvals', label: 'Approvals', icon: UserCheck, key: 'o' },
];
