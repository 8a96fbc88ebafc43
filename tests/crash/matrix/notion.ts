import { startNotionEmulator } from '#emulators/notion/index';
import { linkAccount } from '../../support/linking.ts';
import { buildOauthSettings } from '#emulators/settings';
import type { Subject, Upstream } from './upstream.ts';

export async function startNotionUpstream(): Promise<Upstream> {
  const notion = await startNotionEmulator({ searchLagSeconds: 0, quota: { requests: 100_000, seconds: 10 } });
  notion.addUser({ name: 'Ada' });
  const plan = notion.seedPage({ title: 'Plan', by: 'Ada' });
  const tasks = notion.addDatabase({ title: 'Tasks', schema: { Name: 'title' } });
  const titled = (title: string) =>
    notion.pages().filter((page) => !page.inTrash && JSON.stringify(page.properties).includes(`"${title}"`)).length;
  const subjects: Subject[] = [
    {
      name: 'notion create_page',
      handle: 'fingerprint',
      request: (title) => ({ source: 'notion', action_name: 'create_page', input: { parent_page_id: plan.id, title } }),
      visible: titled,
      requests: (title) => [{ method: 'POST', path: '/v1/pages', body: new RegExp(title) }],
    },
    {
      name: 'notion add_to_database',
      handle: 'fingerprint',
      request: (title) => ({
        source: 'notion',
        action_name: 'add_to_database',
        input: { database_id: tasks.id, title },
      }),
      visible: titled,
      requests: (title) => [{ method: 'POST', path: '/v1/pages', body: new RegExp(title) }],
    },
    {
      name: 'notion append_to_page',
      handle: 'fingerprint',
      request: (text) => ({ source: 'notion', action_name: 'append_to_page', input: { page_id: plan.id, text } }),
      visible: (text) => notion.texts(plan.id).filter((each) => each === text).length,
      requests: (text) => [{ method: 'PATCH', path: /\/children$/, body: new RegExp(text) }],
    },
    {
      name: 'notion create_comment',
      handle: 'fingerprint',
      request: (text) => ({ source: 'notion', action_name: 'create_comment', input: { page_id: plan.id, text } }),
      visible: (text) => notion.comments(plan.id).filter((comment) => JSON.stringify(comment).includes(text)).length,
      requests: (text) => [{ method: 'POST', path: '/v1/comments', body: new RegExp(text) }],
    },
  ];
  return {
    settings: buildOauthSettings('notion', notion),
    failures: notion.failures,
    ledger: notion.ledger,
    async link(server) {
      await linkAccount(server, { provider: 'notion', source: 'notion' }, (url) =>
        notion.approve(url, { user: 'Ada' }),
      );
    },
    subjects,
    close: () => notion.close(),
  };
}
