import { Page } from '../../design/page.tsx';
import { AccountTabs } from './account-tabs.tsx';
import { SecuritySection } from './security-section.tsx';
import { SessionsSection } from './sessions-section.tsx';

/** What belongs to the person who is signed in: where they are signed in. */
export function AccountPage() {
  return (
    <Page title="My account">
      <AccountTabs chosen="/account" />
      <div className="space-y-9">
        <SecuritySection />
        <SessionsSection />
      </div>
    </Page>
  );
}
