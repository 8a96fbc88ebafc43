import { Tabs } from '../../design/tabs.tsx';

const tabs = [
  { to: '/webhooks', label: 'Incoming' },
  { to: '/webhooks/outgoing', label: 'Outgoing' },
] as const;

/** The two directions: incoming webhooks, and outgoing deliveries. */
export function WebhookTabs({ chosen }: { chosen: (typeof tabs)[number]['to'] }) {
  return <Tabs label="Webhooks" tabs={tabs} chosen={chosen} className="-mt-2 mb-6 -ml-3" />;
}
