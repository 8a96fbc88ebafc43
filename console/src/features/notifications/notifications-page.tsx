import { Page } from '../../design/page.tsx';
import { ApproversSection } from '../actions/approvers-section.tsx';
import { BrowserSection } from './browser-section.tsx';
import { MailSection } from './mail-section.tsx';

/** How a person hears of drafts that need their approval, and who else may approve them. */
export function NotificationsPage() {
  return (
    <Page title="Notifications and delegates" lead="Choose how you are notified, and who else can approve.">
      <div className="space-y-9">
        <MailSection />
        <BrowserSection />
        <ApproversSection />
      </div>
    </Page>
  );
}
