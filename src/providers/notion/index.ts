import { defineProvider } from '#providers/kit';
import { notion as account } from './account.ts';
import { guide } from './guide.ts';
import { notion } from './read.ts';
import { notionWrites } from './write.ts';

export const notionProvider = defineProvider({ account, sources: [notion], actions: notionWrites, guide });
