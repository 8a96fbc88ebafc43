import { sourceOf } from '../../reading/source-of.ts';
import { defineProvider } from '../define-provider.ts';
import { discord as account } from './account.ts';
import { discord } from './read.ts';
import { discordWrites } from './write.ts';

export const discordProvider = defineProvider({ account, sources: [sourceOf(discord)], actions: discordWrites });
