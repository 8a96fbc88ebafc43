import { sourceOf } from '#providers/described';
import { defineProvider } from '#providers/kit';
import { notion as account } from './account.ts';
import { notion } from './read.ts';
import { notionWrites } from './write.ts';

export const notionProvider = defineProvider({ account, sources: [sourceOf(notion)], actions: notionWrites });
