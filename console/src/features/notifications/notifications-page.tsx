import { Link } from '@tanstack/react-router';
import { SettingsPage } from '../../design/settings-page.tsx';
import { BrowserSection } from './browser-section.tsx';
import { MailSection } from './mail-section.tsx';

/** How a person hears of drafts that need their approval. */
export function NotificationsPage() {
  return (
    <SettingsPage
      title="Notifications"
      lead={
        <>
          Choose how you hear of drafts that need your approval, and of deadlines that passed.{' '}
          <Link
            to="/rules/approvers"
            className="rounded underline decoration-edge underline-offset-4 hover:decoration-ink"
          >
            Choose who else can approve
          </Link>
          .
        </>
      }
      after={
        <>
          <MailSection />
          <BrowserSection />
        </>
      }
    />
  );
}
