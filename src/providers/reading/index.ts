export { Malformed } from './base64-bytes.ts';
export { fromOrAnew } from './begin-anew.ts';
export { betweenDays, boundsOf } from './between-days.ts';
export { calendarEvent, type CalendarEvent, type CalendarOfEvent, pageOfEvent } from './calendar-event.ts';
export { windowOf } from './date-window.ts';
export { textOfHtml } from './html-text.ts';
export { bytesOfField } from './json-bytes.ts';
export { isDay, isTimeZone } from './local-day.ts';
export { checkEndsAreAlike, momentOrDay } from './moment-or-day.ts';
export { momentOf, writtenMoment } from './moments.ts';
export { withoutQuotedHistory } from './quoted-history.ts';
export { categoryOf, faultOf, parseItems, readItems, Withheld } from './read-items.ts';
export { createReaders, type ReadAccount } from './reader.ts';
export {
  type Batch,
  type Changes,
  type Coverage,
  defineSource,
  fromNothing,
  gonePage,
  type ItemError,
  type LeftOut,
  type Listed,
  type MayLeave,
  type Moment,
  type Reader,
  type Since,
  type Source,
  type SourceScope,
  type Whole,
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
export { type AnyStream, defineStream, type ItemContent, type ListPage, nameList } from './streams/stream.ts';
export { type MessageWords } from './message-words.ts';
