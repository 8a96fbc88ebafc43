import { Page } from '../../design/page.tsx';
import { AddressesSection } from './addresses-section.tsx';
import { ProfileSection } from './profile-section.tsx';
import { SecuritySection } from './security-section.tsx';
import { SessionsSection } from './sessions-section.tsx';

/** The account of the signed-in person: name, addresses, ways of signing in, and sessions. */
export function AccountPage() {
  return (
    <Page title="My account">
      <div className="space-y-9">
        <ProfileSection />
        <AddressesSection />
        <SecuritySection />
        <SessionsSection />
      </div>
    </Page>
  );
}
