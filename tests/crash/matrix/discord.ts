import { startDiscordEmulator } from '#emulators/discord/index';
import { signIn } from '../../support/google.ts';
import { buildOauthSettings } from '#emulators/settings';
import type { Subject, Upstream } from './upstream.ts';

export async function startDiscordUpstream(): Promise<Upstream> {
  const discord = await startDiscordEmulator();
  discord.setQuota(undefined);
  discord.addUser({ username: 'ada' });
  const { token } = discord.addBot('relay');
  const guild = discord.addGuild({ name: 'Engine', owner: 'ada', members: ['relay'] });
  discord.addChannel({ guild, name: 'general' });
  const subjects: Subject[] = [
    {
      name: 'discord post_message',
      handle: 'fingerprint',
      request: (text) => ({
        source: 'discord',
        action_name: 'post_message',
        input: { server: 'Engine', channel: 'general', text },
      }),
      visible: (text) => discord.messages('general').filter((message) => message.content === text).length,
      requests: (text) => [{ method: 'POST', path: /\/messages$/, body: new RegExp(text) }],
    },
  ];
  return {
    settings: buildOauthSettings('discord', discord),
    failures: discord.failures,
    ledger: discord.ledger,
    async link(server) {
      const browser = await signIn(server);
      await browser.ok('connect_with_token', { provider: 'discord', token });
    },
    subjects,
    close: () => discord.close(),
  };
}
