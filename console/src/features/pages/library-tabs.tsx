import { Tabs } from '../../design/tabs.tsx';

const tabs = [
  { to: '/library', label: 'Pages' },
  { to: '/library/documents', label: 'Documents' },
  { to: '/library/boards', label: 'Boards' },
] as const;

/** What the library holds: pages that integrations fetched, uploaded documents, and boards that agents and automations fill. */
export function LibraryTabs({ chosen, className }: { chosen: (typeof tabs)[number]['to']; className?: string }) {
  return <Tabs label="Library" tabs={tabs} chosen={chosen} {...(className !== undefined && { className })} />;
}
