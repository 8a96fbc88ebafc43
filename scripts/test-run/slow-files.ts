/** Test files that may take longer than 20 s in `npm test`, each with the reason. */
export const slowFiles: Readonly<Record<string, string>> = {
  'src/modules/actions/deciding/answer.test.ts':
    'each test loses an answer and waits until the provider was asked about it',
  'src/modules/meaning/embedding.test.ts': 'starts a server process for each model and embeds with it',
  'tests/crash/confirm.test.ts': 'kills a server at each point of a send, for one action of every kind of handle',
  'tests/e2e/appearance.spec.ts': 'axe looks at every page, in both themes',
  'tests/e2e/brains.spec.ts': 'the journeys of one page stay together',
  'tests/e2e/browser-notices.spec.ts': 'shows that no notice comes, which takes as long as one would',
  'tests/e2e/inbox-batch.spec.ts': 'the journeys of one page stay together',
  'tests/e2e/inbox-edits.spec.ts': 'the journeys of one page stay together',
  'tests/e2e/inbox.spec.ts': 'the main job of the console',
  'tests/e2e/integrations.spec.ts': 'the journeys of one page stay together',
  'tests/faces/events.test.ts': 'streams are looked at again every few seconds',
  'tests/gate/known.test.ts': 'a provider that does not answer is waited for before drafting',
  'tests/tenants/foreign-ids.test.ts': 'every id field of every operation, three times',
};
