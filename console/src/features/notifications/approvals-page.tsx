import { Page } from '../../design/page.tsx';
import { ApproversSection } from '../actions/approvers-section.tsx';
import { BrowserSection } from './browser-section.tsx';
import { MailSection } from './mail-section.tsx';

/** How a person hears of what waits for their yes, and who may say it beside them. */
export function ApprovalsPage() {
  return (
    <Page title="Approvals" lead="How you hear of what waits for your yes, and who may say it beside you.">
      <div className="space-y-9">
        <MailSection />
        <BrowserSection />
        <ApproversSection />
      </div>
    </Page>
  );
}
