import { startSlackEmulator } from '#emulators/slack/index';
import { linkAccount } from '../../support/linking.ts';
import { buildOauthSettings } from '#emulators/settings';
import type { Subject, Upstream } from './upstream.ts';

export async function startSlackUpstream(): Promise<Upstream> {
  const slack = await startSlackEmulator();
  slack.addUser({ name: 'ada' });
  slack.addChannel({ name: 'general', members: ['ada'] });
  const subjects: Subject[] = [
    {
      name: 'slack post_message',
      handle: 'mark',
      request: (text) => ({ source: 'slack', action_name: 'post_message', input: { channel: '#general', text } }),
      visible: (text) => slack.messages('general').filter((message) => message.text === text).length,
      requests: (text) => [{ path: '/api/chat.postMessage', body: new RegExp(text) }],
    },
    {
      name: 'slack update_message',
      handle: 'mark',
      request(text) {
        const { ts } = slack.seedMessage('general', { user: 'ada', text: `before ${text}` });
        return { source: 'slack', action_name: 'update_message', input: { channel: '#general', ts, text } };
      },
      visible: (text) => slack.messages('general').filter((message) => message.text === text).length,
      requests: (text) => [{ path: '/api/chat.update', body: new RegExp(text) }],
    },
  ];
  return {
    settings: buildOauthSettings('slack', slack),
    failures: slack.failures,
    ledger: slack.ledger,
    async link(server) {
      await linkAccount(server, { provider: 'slack', source: 'slack' }, (url) => slack.approve(url, { user: 'ada' }));
    },
    subjects,
    close: () => slack.close(),
  };
}
