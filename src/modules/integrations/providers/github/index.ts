import { sourceOf } from '../../reading/source-of.ts';
import { defineProvider } from '../define-provider.ts';
import { github as account } from './account.ts';
import { github } from './read.ts';
import { githubWrites } from './write.ts';

export const githubProvider = defineProvider({ account, sources: [sourceOf(github)], actions: githubWrites });
