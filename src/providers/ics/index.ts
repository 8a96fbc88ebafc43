import { defineProvider } from '#providers/kit';
import { ics as account } from './account.ts';
import { icsAdapter } from './adapters.ts';
import { guide } from './guide.ts';
import { ics } from './read.ts';

export const icsProvider = defineProvider({ account, sources: [ics], actions: [], adapters: [icsAdapter], guide });
