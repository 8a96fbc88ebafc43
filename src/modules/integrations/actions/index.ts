import type { Action } from '#kernel/action';
import { actionsOf } from '../catalogue/action-of.ts';
import { calendarApi, calendarWrites } from '../catalogue/calendar-writes.ts';
import { driveApi, driveWrites } from '../catalogue/drive-writes.ts';
import { gmailApi, gmailWrites } from '../catalogue/gmail-writes.ts';
import { catalogue } from '../catalogue/index.ts';
import type { Written } from '../catalogue/action-of.ts';
import { createEvent } from './create-event.ts';
import { createFile } from './create-file.ts';
import { sendEmail } from './send-email.ts';
import { sendDelete, sendRequest } from './send-request.ts';
import { updateFile } from './update-file.ts';

/** What is described for sources that are read by code. */
export const writtenBeside: readonly Written[] = [
  { source: 'gmail', api: gmailApi, writes: gmailWrites },
  { source: 'calendar', api: calendarApi, writes: calendarWrites },
  { source: 'drive', api: driveApi, writes: driveWrites },
];

/** Everything that can be done at a provider: by code where MIME, an upload or the wish itself needs it, and otherwise as described. */
export const integrationActions: readonly Action[] = [
  sendEmail,
  createEvent,
  createFile,
  updateFile,
  sendRequest,
  sendDelete,
  ...writtenBeside.flatMap(actionsOf),
  ...catalogue.flatMap(({ name, api, writes = [] }) => actionsOf({ source: name, api, writes })),
];
