import { SettingsPage } from '../../design/settings-page.tsx';
import { AddressesSection } from './addresses-section.tsx';
import { ProfileSection } from './profile-section.tsx';
import { SecuritySection } from './security-section.tsx';
import { SessionsSection } from './sessions-section.tsx';

/** The account of the signed-in person: name, addresses, sign-in methods, and sessions. */
export function AccountPage() {
  return (
    <SettingsPage
      title="My account"
      lead="How others see you, and how you sign in."
      after={
        <>
          <ProfileSection />
          <AddressesSection />
          <SecuritySection />
          <SessionsSection />
        </>
      }
    />
  );
}
