import { sourceOf } from '../../reading/source-of.ts';
import { defineProvider } from '../define-provider.ts';
import { slack as account } from './account.ts';
import { slack } from './read.ts';
import { slackWrites } from './write.ts';

export const slackProvider = defineProvider({ account, sources: [sourceOf(slack)], actions: slackWrites });
