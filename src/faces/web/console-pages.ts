/**
 * First parts of the paths at which the console has a page, including moved pages. A test compares them with the
 * console.
 */
export const consolePages: readonly string[] = [
  '',
  'account',
  'agents',
  'approvals',
  'automations',
  'boards',
  'brains',
  'codex',
  'connect',
  'connectors',
  'destinations',
  'inbox',
  'installs',
  'integrations',
  'keys',
  'library',
  'memory',
  'pages',
  'people',
  'policy',
  'prove',
  'rules',
  'secrets',
  'settings',
  'sign-in',
  'sign-up',
  'sources',
  'usage',
  'variables',
  'webhooks',
  'workflows',
];

/** Whether the console has a page at this path. Any other path, such as `/favicon.ico`, is nothing here. */
export function isConsolePage(path: string): boolean {
  return consolePages.includes(path.split('/')[1] ?? '');
}
