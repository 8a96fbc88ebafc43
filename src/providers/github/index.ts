import { defineProvider } from '#providers/kit';
import { github as account } from './account.ts';
import { githubAdapter } from './adapters.ts';
import { guide } from './guide.ts';
import { github } from './read.ts';
import { githubWrites } from './write.ts';

export const githubProvider = defineProvider({
  account,
  sources: [github],
  actions: githubWrites,
  adapters: [githubAdapter],
  guide,
});
