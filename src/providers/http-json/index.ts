import { defineProvider } from '#providers/kit';
import { httpJson as account } from './account.ts';
import { httpJsonAdapter } from './adapters.ts';
import { guide } from './guide.ts';
import { httpJson } from './read.ts';
import { httpJsonWrites } from './write.ts';

export const httpJsonProvider = defineProvider({
  account,
  sources: [httpJson],
  actions: httpJsonWrites,
  adapters: [httpJsonAdapter],
  guide,
});
