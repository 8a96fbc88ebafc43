import { defineProvider } from '#providers/kit';
import { discord as account } from './account.ts';
import { guide } from './guide.ts';
import { discord } from './read.ts';
import { discordWrites } from './write.ts';

export const discordProvider = defineProvider({ account, sources: [discord], actions: discordWrites, guide });
