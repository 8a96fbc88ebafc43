import { defineProvider } from '#providers/kit';
import { microsoft as account } from './account.ts';
import { outlookCalendarWrites } from './calendar-write.ts';
import { guide } from './guide.ts';
import { outlookMailWrites } from './mail-write.ts';
import { outlookCalendar } from './read-calendar.ts';
import { outlookMail } from './read-mail.ts';

export const microsoftProvider = defineProvider({
  account,
  sources: [outlookMail, outlookCalendar],
  actions: [...outlookMailWrites, ...outlookCalendarWrites],
  guide,
});
