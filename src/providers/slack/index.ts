import { defineProvider } from '#providers/kit';
import { slack as account } from './account.ts';
import { guide } from './guide.ts';
import { slack } from './read.ts';
import { slackWrites } from './write.ts';

export const slackProvider = defineProvider({ account, sources: [slack], actions: slackWrites, guide });
