import {
  AppWindow,
  Blocks,
  Bot,
  BrainCircuit,
  Braces,
  ChartColumn,
  CircleUser,
  House,
  Inbox,
  Library,
  LibraryBig,
  Network,
  Server,
  Settings,
  ShieldCheck,
  Table2,
  Target,
  Users,
  Workflow,
  type LucideIcon,
} from 'lucide-react';

type StructurePlace = { label: string; icon: LucideIcon; tabs?: readonly string[] };

type Group = {
  title: string;
  /** Where the group is shown: beside every page, in the menu of the workspace, or under the person's name. */
  menu: 'main' | 'workspace' | 'person';
  places: readonly StructurePlace[];
};

/**
 * The structure of the console: groups, their places, and the tabs of a place, in the order they are shown. A place or
 * tab is shown once a feature has an entry for it that the person may use.
 */
export const structure = [
  {
    title: '',
    menu: 'main',
    places: [
      { label: 'Home', icon: House },
      { label: 'Inbox', icon: Inbox, tabs: ['Drafts', 'To sort', 'Activity'] },
    ],
  },
  {
    title: 'Knowledge',
    menu: 'main',
    places: [
      { label: 'Memory', icon: BrainCircuit, tabs: ['List', 'Clean up'] },
      { label: 'Library', icon: Library, tabs: ['Pages', 'Documents', 'Conversations'] },
      { label: 'Brains', icon: Network },
    ],
  },
  {
    title: 'Build',
    menu: 'main',
    places: [
      { label: 'Codex', icon: LibraryBig, tabs: ['Recipes', 'Installed'] },
      { label: 'Boards', icon: Table2 },
      { label: 'Automations', icon: Workflow },
      { label: 'Workflows', icon: Target },
      { label: 'Apps', icon: AppWindow },
    ],
  },
  {
    title: 'Connect',
    menu: 'main',
    places: [
      { label: 'Agents', icon: Bot, tabs: ['Agents', 'Tools', 'Relays', 'Permission sets'] },
      { label: 'Integrations', icon: Blocks, tabs: ['Accounts', 'Sources', 'Destinations'] },
      { label: 'Hosts', icon: Server, tabs: ['Hosts', 'Boxes'] },
    ],
  },
  {
    title: 'Control',
    menu: 'main',
    places: [
      { label: 'Rules', icon: ShieldCheck, tabs: ['Rules', 'Approvers'] },
      { label: 'Secrets', icon: Braces },
    ],
  },
  {
    title: 'Workspace',
    menu: 'workspace',
    places: [
      { label: 'People', icon: Users },
      { label: 'Usage', icon: ChartColumn },
      { label: 'Settings', icon: Settings },
    ],
  },
  {
    title: 'My account',
    menu: 'person',
    places: [{ label: 'My account', icon: CircleUser, tabs: ['Profile', 'Notifications'] }],
  },
] as const satisfies readonly Group[];

type StructuredPlace = (typeof structure)[number]['places'][number];

/** The label of a place. */
export type PlaceLabel = StructuredPlace['label'];

/** A place, with the tab that an entry fills where the place has tabs. */
export type Position = {
  [Label in PlaceLabel]: Extract<StructuredPlace, { label: Label }> extends { tabs: readonly (infer Tab)[] }
    ? { place: Label; tab: Tab }
    : { place: Label };
}[PlaceLabel];
