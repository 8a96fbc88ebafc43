import { sourceOf } from '../../reading/source-of.ts';
import { defineProvider } from '../define-provider.ts';
import { notion as account } from './account.ts';
import { notion } from './read.ts';
import { notionWrites } from './write.ts';

export const notionProvider = defineProvider({ account, sources: [sourceOf(notion)], actions: notionWrites });
