import { createEvent } from './create-event.ts';
import { createFile } from './create-file.ts';
import { sendEmail } from './send-email.ts';

/** Everything that can be done at a provider. */
export const integrationActions = [sendEmail, createEvent, createFile];
