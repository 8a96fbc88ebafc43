import { listPayloadAddresses, formatPayloadField } from './payload.ts';
import type { Draft, Preview } from './requests.ts';

/** The server's labels of payload fields that views show. */
const labels: Record<string, string> = {
  to: 'To',
  cc: 'Cc',
  bcc: 'Bcc',
  subject: 'Subject',
  body: 'Body',
  summary: 'Title',
  start: 'Start',
  end: 'End',
  location: 'Location',
  attendees: 'Attendees',
  description: 'Description',
  calendar_id: 'Calendar',
  name: 'Name',
  content: 'Content',
  mime_type: 'Type',
  folder_id: 'Folder',
};
/** Labels whose content views show in other words. */
const worded: Record<string, string> = { send_updates: 'Invitations', attachments: 'Attachments' };

/** The preview fields that no view shows. They are listed, so that nothing is sent unseen. */
export function listUnseenPreviewFields({ preview, payload, known }: Draft): Preview['fields'] {
  const isKnown = (field: Preview['fields'][number]) =>
    known.some(({ label, text }) => label === field.label && text === field.text);
  const isInPreview = (name: string, text: string) =>
    formatPayloadField(payload, name) === text || listPayloadAddresses(payload, name).join(', ') === text;
  const isShown = ({ label, text, was }: Preview['fields'][number]) =>
    was === undefined &&
    Object.keys(payload).some((name) => worded[name] === label || (labels[name] === label && isInPreview(name, text)));
  return preview.fields.filter((field) => !isKnown(field) && !isShown(field));
}
