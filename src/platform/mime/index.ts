// The parts of mails: headers, addresses, parts, and charsets.
export { decodeText } from './charset.ts';
export { decodeHeader, formatMailbox, readAddresses, type Mailbox } from './headers.ts';
export { readPartText, type TextParameters } from './part-text.ts';
export { readMailWords, type HtmlReader, type MailPart } from './words.ts';
