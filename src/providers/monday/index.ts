import { sourceOf } from '#providers/described';
import { defineProvider } from '#providers/kit';
import { monday as account } from './account.ts';
import { monday } from './read.ts';
import { mondayWrites } from './write.ts';

export const mondayProvider = defineProvider({ account, sources: [sourceOf(monday)], actions: mondayWrites });
