import { sourceOf } from '../../reading/source-of.ts';
import { defineProvider } from '../define-provider.ts';
import { monday as account } from './account.ts';
import { monday } from './read.ts';
import { mondayWrites } from './write.ts';

export const mondayProvider = defineProvider({ account, sources: [sourceOf(monday)], actions: mondayWrites });
