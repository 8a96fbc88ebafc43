import { discordUpstream } from './discord.ts';
import { githubUpstream } from './github.ts';
import { googleUpstream } from './google.ts';
import { httpJsonUpstream } from './http-json.ts';
import { linearUpstream } from './linear.ts';
import { microsoftUpstream } from './microsoft.ts';
import { mondayUpstream } from './monday.ts';
import { notionUpstream } from './notion.ts';
import { slackUpstream } from './slack.ts';
import { telegramUpstream } from './telegram.ts';
import type { Subject, Upstream } from './upstream.ts';

export type { Subject, Upstream } from './upstream.ts';

const upstreams = [
  googleUpstream,
  linearUpstream,
  githubUpstream,
  slackUpstream,
  mondayUpstream,
  notionUpstream,
  discordUpstream,
  microsoftUpstream,
  httpJsonUpstream,
  telegramUpstream,
];

/** Every provider; and every action of the catalogue, or one for each kind of handle (`npm run test:deep` takes all). */
export async function startUpstreams(isWhole: boolean): Promise<{ upstreams: Upstream[]; subjects: Subject[] }> {
  const started = await Promise.all(upstreams.map((start) => start()));
  const all = started.flatMap(({ subjects }) => subjects);
  const one = [...new Map(all.toReversed().map((subject) => [subject.handle, subject])).values()];
  return { upstreams: started, subjects: isWhole ? all : one };
}
