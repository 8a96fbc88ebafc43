import { defineProvider } from '#providers/kit';
import { linear as account } from './account.ts';
import { guide } from './guide.ts';
import { linear } from './read.ts';
import { linearWrites } from './write.ts';

export const linearProvider = defineProvider({ account, sources: [linear], actions: linearWrites, guide });
