/** Moved pages. Mails, bookmarks and guides still have the former paths. */
const moved: Readonly<Record<string, string>> = {
  pages: 'library',
  boards: 'library/boards',
  connect: 'agents/connect',
  keys: 'agents',
  policy: 'rules',
  variables: 'secrets',
  approvals: 'account/notifications',
};

/** The present address of a page that was moved; undefined for any other. */
export function movedTo(pathname: string): string | undefined {
  const [, first = '', ...rest] = pathname.split('/');
  const to = Object.hasOwn(moved, first) ? moved[first] : undefined;
  return to && `/${[to, ...rest].join('/')}`;
}
