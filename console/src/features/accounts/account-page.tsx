import { Page } from '../../design/page.tsx';
import { PlaceTabs } from '../../design/place-tabs.tsx';
import { AddressesSection } from './addresses-section.tsx';
import { ProfileSection } from './profile-section.tsx';
import { SecuritySection } from './security-section.tsx';
import { SessionsSection } from './sessions-section.tsx';

/** The account of the signed-in person: name, addresses, ways of signing in, and sessions. */
export function AccountPage() {
  return (
    <Page title="My account">
      <PlaceTabs className="-mt-2 mb-7 -ml-3" />
      <div className="space-y-9">
        <ProfileSection />
        <AddressesSection />
        <SecuritySection />
        <SessionsSection />
      </div>
    </Page>
  );
}
