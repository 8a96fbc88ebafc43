import { defineProvider } from '#providers/kit';
import { monday as account } from './account.ts';
import { mondayAdapter } from './adapters.ts';
import { guide } from './guide.ts';
import { monday } from './read.ts';
import { mondayWrites } from './write.ts';

export const mondayProvider = defineProvider({
  account,
  sources: [monday],
  actions: mondayWrites,
  adapters: [mondayAdapter],
  guide,
});
