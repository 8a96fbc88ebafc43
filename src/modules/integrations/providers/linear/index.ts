import { sourceOf } from '../../reading/source-of.ts';
import { defineProvider } from '../define-provider.ts';
import { linear as account } from './account.ts';
import { linear } from './read.ts';
import { linearWrites } from './write.ts';

export const linearProvider = defineProvider({ account, sources: [sourceOf(linear)], actions: linearWrites });
