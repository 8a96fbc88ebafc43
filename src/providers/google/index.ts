import { defineProvider } from '#providers/kit';
import { google as account } from './account.ts';
import { calendarWrites } from './calendar/change-event.ts';
import { createEvent } from './calendar/create-event.ts';
import { calendar } from './calendar/read.ts';
import { createFile } from './drive/create-file.ts';
import { drive } from './drive/read.ts';
import { driveWrites } from './drive/share-file.ts';
import { updateFile } from './drive/update-file.ts';
import { gmailWrites } from './gmail/labels.ts';
import { gmail } from './gmail/read.ts';
import { sendEmail } from './gmail/send-email.ts';
import { guide } from './guide.ts';
import { ownClient } from './own-client.ts';

export const googleProvider = defineProvider({
  account,
  sources: [gmail, calendar, drive],
  actions: [sendEmail, createEvent, createFile, updateFile, ...gmailWrites, ...calendarWrites, ...driveWrites],
  ownClient,
  guide,
});
