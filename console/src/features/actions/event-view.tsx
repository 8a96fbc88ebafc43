import { MapPin, Send, TextQuote, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { DayLeaf } from '../../design/day-leaf.tsx';
import { Address } from './address.tsx';
import type { Block } from './day.ts';
import { DayGrid } from './day-grid.tsx';
import { RestView } from './rest-view.tsx';
import { addressesIn, momentIn, textIn } from './payload.ts';
import type { Payload } from './requests.ts';

const shownFields = ['summary', 'description', 'location', 'start', 'end', 'attendees', 'send_updates'];

/** An event as a calendar shows it. */
export function EventView({ account, payload }: { account: string; payload: Payload }) {
  const block = blockOf(payload);
  const start = momentIn(payload, 'start');
  const attendees = addressesIn(payload, 'attendees');
  const invites = textIn(payload, 'send_updates');
  return (
    <>
      <div className="flex items-center gap-4 border-b border-line px-5 py-5 sm:px-6">
        <DayLeaf at={start.at} />
        <div className="min-w-0">
          <h3 className="text-lg leading-snug font-semibold tracking-tight wrap-anywhere">
            {textIn(payload, 'summary') || <span className="text-faint">No title</span>}
          </h3>
          <p className="mt-0.5 text-sm text-soft">{spanText(payload)}</p>
          {account && <p className="text-[13px] text-faint">Calendar of {account}</p>}
        </div>
      </div>
      <div className="space-y-3.5 px-5 py-5 text-sm sm:px-6">
        <Line icon={<MapPin />}>{textIn(payload, 'location')}</Line>
        {attendees.length > 0 && (
          <Line icon={<Users />}>
            <span className="flex flex-wrap gap-x-3">
              {attendees.map((attendee) => (
                <Address key={attendee} address={attendee} account={account} />
              ))}
            </span>
          </Line>
        )}
        {attendees.length > 0 && (
          <Line icon={<Send />}>{invites === 'none' ? 'Nobody is sent an invitation' : 'Invitations are sent'}</Line>
        )}
        <Line icon={<TextQuote />}>{textIn(payload, 'description')}</Line>
      </div>
      {block && <DayGrid draft={block} />}
      <RestView payload={payload} shown={shownFields} />
    </>
  );
}

/** As a part of a day; nothing for what is of whole days, or of no readable time. */
function blockOf(payload: Payload): Block | null {
  const [from, to] = [momentIn(payload, 'start'), momentIn(payload, 'end')];
  const [start, end] = [new Date(from.at), new Date(to.at)];
  if (from.isWholeDay || !(start < end)) return null;
  return { id: 'draft', title: textIn(payload, 'summary'), start, end };
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

/** «Thursday, 3 December, 10:00 – 11:00», as the reader's own clock says. */
function spanText(payload: Payload): string {
  const [start, end] = [momentIn(payload, 'start'), momentIn(payload, 'end')];
  const [from, to] = [new Date(start.at), new Date(end.at || start.at)];
  if (Number.isNaN(from.getTime()) || Number.isNaN(to.getTime())) return [start.at, end.at].filter(Boolean).join(' – ');
  if (start.isWholeDay) return from.toLocaleDateString(undefined, { dateStyle: 'full', timeZone: 'UTC' });
  return new Intl.DateTimeFormat(undefined, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).formatRange(from, to);
}
