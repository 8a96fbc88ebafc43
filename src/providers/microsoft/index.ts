import { sourceOf } from '#providers/described';
import { defineProvider } from '#providers/kit';
import { microsoft as account } from './account.ts';
import { outlookCalendarWrites } from './calendar-write.ts';
import { outlookMailWrites } from './mail-write.ts';
import { outlookCalendar, outlookMail } from './read.ts';

export const microsoftProvider = defineProvider({
  account,
  sources: [outlookMail, outlookCalendar].map(sourceOf),
  actions: [...outlookMailWrites, ...outlookCalendarWrites],
});
