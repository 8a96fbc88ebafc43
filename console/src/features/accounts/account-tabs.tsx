import { Tabs } from '../../design/tabs.tsx';

const tabs = [
  { to: '/account', label: 'Profile' },
  { to: '/account/notifications', label: 'Notifications' },
] as const;

/** The pages of “My account”. */
export function AccountTabs({ chosen }: { chosen: (typeof tabs)[number]['to'] }) {
  return <Tabs label="My account" tabs={tabs} chosen={chosen} className="-mt-2 mb-7 -ml-3" />;
}
