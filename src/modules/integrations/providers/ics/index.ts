import { defineProvider } from '../define-provider.ts';
import { ics as account } from './account.ts';
import { ics } from './read.ts';

export const icsProvider = defineProvider({ account, sources: [ics], actions: [] });
