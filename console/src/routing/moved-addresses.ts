/** Moved pages. Mails, bookmarks and guides still have the former paths. The first that fits counts. */
const moved: Readonly<Record<string, string>> = {
  '/pages': '/library',
  '/library/boards': '/boards',
  '/connect': '/agents/connect',
  '/keys': '/agents',
  '/policy': '/rules',
  '/variables': '/secrets',
  '/approvals': '/account/notifications',
  '/connectors': '/sources',
  '/webhooks/outgoing': '/destinations',
  '/webhooks': '/sources',
  '/memory/duplicates': '/memory/clean-up',
  '/memory/contradictions': '/memory/clean-up/contradictions',
};

/** The present address of a page that was moved; undefined for any other. */
export function findMovedAddress(pathname: string): string | undefined {
  const former = Object.keys(moved).find((each) => pathname === each || pathname.startsWith(`${each}/`));
  return former && `${moved[former]}${pathname.slice(former.length)}`;
}
