export { MalformedBase64Error } from './base64-bytes.ts';
export { continueOrRestart } from './begin-anew.ts';
export { betweenDays, computeBounds } from './between-days.ts';
export { calendarEvent, type CalendarEvent, type CalendarOfEvent, buildEventPage } from './calendar-event.ts';
export { parseDateWindow } from './date-window.ts';
export { readHtmlText } from './html-text.ts';
export { readFieldBytes } from './json-bytes.ts';
export { isDay, isTimeZone } from './local-day.ts';
export { checkEndsAreAlike, momentOrDay } from './moment-or-day.ts';
export { parseMoment, formatMoment } from './moments.ts';
export { cutQuotedHistory } from './quoted-history.ts';
export { readErrorCategory, classifyFileError, parseItems, readItems, WithheldError } from './read-items.ts';
export { createReaders, type ReadAccount } from './reader.ts';
export {
  type Batch,
  type Changes,
  type Coverage,
  defineSource,
  fromNothing,
  createGonePage,
  type ItemError,
  type LeftOut,
  type ListedItems,
  type IsSkippable,
  type LocalMoment,
  type Reader,
  type ChangesSince,
  type Source,
  type SourceScope,
  type WholeReading,
} from './source.ts';
export { describeWholeDays } from './whole-days.ts';
export { defineStreamSource } from './streams/define-source.ts';
export { listLevels } from './streams/list-levels.ts';
export { listNested } from './streams/list-nested.ts';
export {
  createReadValue,
  joinBlocks,
  readFields,
  readList,
  type ReadValue,
  writeBlock,
  writeText,
} from './streams/page-text.ts';
export {
  allowWithheld,
  createReadApi,
  createReadFile,
  findItems,
  type ListForm,
  type ReadApi,
} from './streams/read-api.ts';
export { readStreamChanges } from './streams/read-streams.ts';
export { type AnyStream, defineStream, type ItemContent, type ListPage, describeList } from './streams/stream.ts';
export { type MessageWords } from './message-words.ts';
