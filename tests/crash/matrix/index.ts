import { startDiscordUpstream } from './discord.ts';
import { startGitHubUpstream } from './github.ts';
import { startGoogleUpstream } from './google.ts';
import { startHttpJsonUpstream } from './http-json.ts';
import { startLinearUpstream } from './linear.ts';
import { startMicrosoftUpstream } from './microsoft.ts';
import { startMondayUpstream } from './monday.ts';
import { startNotionUpstream } from './notion.ts';
import { startSlackUpstream } from './slack.ts';
import { startTelegramUpstream } from './telegram.ts';
import type { Subject, Upstream } from './upstream.ts';

export type { Subject, Upstream } from './upstream.ts';

const upstreams = [
  startGoogleUpstream,
  startLinearUpstream,
  startGitHubUpstream,
  startSlackUpstream,
  startMondayUpstream,
  startNotionUpstream,
  startDiscordUpstream,
  startMicrosoftUpstream,
  startHttpJsonUpstream,
  startTelegramUpstream,
];

/** Every provider; and every action of the catalogue, or one for each kind of handle (`npm run test:deep` takes all). */
export async function startUpstreams(isWhole: boolean): Promise<{ upstreams: Upstream[]; subjects: Subject[] }> {
  const started = await Promise.all(upstreams.map((start) => start()));
  const all = started.flatMap(({ subjects }) => subjects);
  const one = [...new Map(all.toReversed().map((subject) => [subject.handle, subject])).values()];
  return { upstreams: started, subjects: isWhole ? all : one };
}
