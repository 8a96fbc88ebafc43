import { MapPin, Send, TextQuote, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { DayLeaf } from '../../design/day-leaf.tsx';
import { Address } from './address.tsx';
import type { Block } from './day.ts';
import { DayGrid } from './day-grid.tsx';
import { RestView } from './rest-view.tsx';
import { listPayloadAddresses, isWholeDay, getPayloadText } from './payload.ts';
import type { Draft, Payload } from './requests.ts';

const shownFields = ['summary', 'description', 'location', 'start', 'end', 'attendees', 'send_updates'];

/** If it was not chosen, the preview says what its service does. */
const invitationWords: Record<string, string> = {
  all: 'Sends an invitation to everybody',
  externalOnly: 'Sends an invitation to external people only',
  none: 'Sends no invitations',
};

/** An event in the form of a calendar entry. */
export function EventView({ draft: { account, payload, result } }: { draft: Draft }) {
  const block = buildEventBlock(payload, getPayloadText(result ?? {}, 'event_id'));
  const start = getPayloadText(payload, 'start');
  const attendees = listPayloadAddresses(payload, 'attendees');
  const invites = getPayloadText(payload, 'send_updates');
  return (
    <>
      <div className="flex items-center gap-4 border-b border-line px-5 py-5 sm:px-6">
        <DayLeaf at={start} timeZone={isWholeDay(start) ? 'UTC' : undefined} />
        <div className="min-w-0">
          <h3 className="text-lg leading-snug font-semibold tracking-tight wrap-anywhere">
            {getPayloadText(payload, 'summary') || <span className="text-faint">No title</span>}
          </h3>
          <p className="mt-0.5 text-sm text-soft">{formatEventSpan(payload)}</p>
          {account && <p className="text-[13px] text-faint">Calendar of {account}</p>}
        </div>
      </div>
      <div className="space-y-3.5 px-5 py-5 text-sm sm:px-6">
        <Line icon={<MapPin />}>{getPayloadText(payload, 'location')}</Line>
        {attendees.length > 0 && (
          <Line icon={<Users />}>
            <span className="flex flex-wrap gap-x-3">
              {attendees.map((attendee) => (
                <Address key={attendee} address={attendee} account={account} />
              ))}
            </span>
          </Line>
        )}
        {attendees.length > 0 && <Line icon={<Send />}>{invitationWords[invites] ?? invites}</Line>}
        <Line icon={<TextQuote />}>{getPayloadText(payload, 'description')}</Line>
      </div>
      {block && <DayGrid draft={block} />}
      <RestView payload={payload} shown={shownFields} />
    </>
  );
}

/** The event as a block of its day. Undefined for whole days and unreadable times. */
function buildEventBlock(payload: Payload, eventId: string): Block | null {
  const [from, to] = [getPayloadText(payload, 'start'), getPayloadText(payload, 'end')];
  const [start, end] = [new Date(from), new Date(to)];
  if (isWholeDay(from) || !(start < end)) return null;
  return { id: 'draft', ...(eventId && { eventId }), title: getPayloadText(payload, 'summary'), start, end };
}

function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  if (!children) return null;
  return (
    <div className="flex gap-3">
      <span className="mt-0.5 shrink-0 text-faint [&_svg]:size-4" aria-hidden>
        {icon}
      </span>
      <span className="leading-relaxed whitespace-pre-wrap wrap-anywhere">{children}</span>
    </div>
  );
}

/**
 * "Thursday, December 3, 2026, 10:00 – 11:00" in the reader's time zone. For whole days, the first and the last day.
 */
function formatEventSpan(payload: Payload): string {
  const [start, end] = [getPayloadText(payload, 'start'), getPayloadText(payload, 'end')];
  const [from, to] = [new Date(start), new Date(end || start)];
  if (Number.isNaN(from.getTime()) || Number.isNaN(to.getTime())) return [start, end].filter(Boolean).join(' – ');
  const day = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;
  if (isWholeDay(start))
    return formatDayRange(from, to, new Intl.DateTimeFormat(undefined, { ...day, timeZone: 'UTC' }));
  const clock = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;
  return new Intl.DateTimeFormat(undefined, { ...day, ...clock }).formatRange(from, to);
}

const dayMs = 86_400_000;

/** The end date of a whole-day event is exclusive. */
function formatDayRange(from: Date, end: Date, format: Intl.DateTimeFormat): string {
  const last = new Date(Math.max(from.getTime(), end.getTime() - dayMs));
  const count = Math.round((last.getTime() - from.getTime()) / dayMs) + 1;
  return count === 1 ? format.format(from) : `${format.formatRange(from, last)} · ${count} days`;
}
