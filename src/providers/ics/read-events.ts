// The events of a calendar file within a window, by their identity, with pauses for other work.
import { setImmediate as breathe } from 'node:timers/promises';
import { AppError } from '#kernel/errors';
import type { CalendarEvent } from '#providers/reading';
import { readEvent, readUid, UnreadableEvent, type FileEvent } from './event.ts';
import type { CalendarFile } from './file.ts';
import { listOccurrences, type Window } from './occurrences.ts';

const mostEvents = 20_000;
const longestWorkMs = 10_000;
/** The longest time in milliseconds without a pause for other work. */
const longestTurnMs = 50;

/** The events of one identity. `message`: why they, or a part of them, cannot be read; else empty. */
type EventGroup = { uid: string; events: CalendarEvent[]; message: string };

/** Throws `upstream_failed` for a calendar with too many events, or with series that take too long to compute. */
export async function* readEventGroups(file: CalendarFile, window: Window): AsyncGenerator<EventGroup> {
  let [count, workedMs, turnMs] = [0, 0, 0];
  for (const [uid, texts] of groupByUid(file.events)) {
    const startedAt = performance.now();
    const group = { uid, ...tryRead(texts, file, window) };
    const tookMs = performance.now() - startedAt;
    [workedMs, turnMs, count] = [workedMs + tookMs, turnMs + tookMs, count + group.events.length];
    if (count > mostEvents || workedMs > longestWorkMs) throw createTooMuchError();
    yield group;
    if (turnMs > longestTurnMs) {
      await breathe();
      turnMs = 0;
    }
  }
}

function groupByUid(texts: readonly string[]): Map<string, string[]> {
  const events = new Map<string, string[]>();
  for (const text of texts) {
    const uid = readUid(text);
    const known = events.get(uid);
    if (known) known.push(text);
    else events.set(uid, [text]);
  }
  return events;
}

/** One unreadable part of a series is reported, and the rest of the series is read. */
function tryRead(texts: readonly string[], file: CalendarFile, window: Window) {
  const read: FileEvent[] = [];
  let message = '';
  const attempt = <T>(work: () => T): T | null => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof UnreadableEvent)) throw error;
      message = error.message;
      return null;
    }
  };
  for (const text of texts) {
    const event = attempt(() => readEvent(text, file));
    if (event) read.push(event);
  }
  return { events: attempt(() => listOccurrences(read, window)) ?? [], message };
}

function createTooMuchError(): AppError {
  const message = `The calendar is too large: more than ${mostEvents} events, or series that take too long to compute.`;
  return new AppError('upstream_failed', message, { errorCategory: 'too_large' });
}
