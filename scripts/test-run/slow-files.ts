/** Test files that may take longer than 20 s in `npm test`, each with the reason. */
export const slowFiles: Readonly<Record<string, string>> = {
  'tests/crash/confirm.test.ts': 'kills a server at each point of a send, for one action of every kind of handle',
  'tests/e2e/appearance.spec.ts': 'axe looks at every page, in both themes',
  'tests/e2e/inbox.spec.ts': 'the main job of the console',
};
