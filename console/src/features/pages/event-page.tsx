import {
  CalendarRange,
  Check,
  CircleHelp,
  MapPin,
  Minus,
  Repeat,
  TextQuote,
  User,
  Users,
  Video,
  X,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { DayLeaf } from '../../design/day-leaf.tsx';
import { BodyText, OutsideLink } from './body-text.tsx';
import {
  parsePageAttendees,
  formatRecurrence,
  formatPageEventSpan,
  parseEventTime,
  type Answer,
} from './event-facts.ts';
import type { ReadingProps } from './page-view.tsx';
import { PageTitle } from './page-title.tsx';
import { parseSecureUrl } from './provider-address.ts';
import { splitHeadLines } from './text-parts.ts';

const headNames = ['When', 'Where', 'Calendar', 'Organizer', 'Attendees', 'Call'];

/** An event as a calendar shows it, in the reader's own time. */
export function EventPage({ page, terms }: ReadingProps) {
  const { frontmatter } = page;
  const { head, rest } = splitHeadLines(page.body, headNames);
  const start = parseEventTime(frontmatter['start']);
  const isWholeDay = frontmatter['all_day'] === true;
  const call = parseSecureUrl(head.get('Call'));
  const attendees = parsePageAttendees(frontmatter['attendees'], head.get('Attendees') ?? '');
  return (
    <div className="overflow-hidden rounded-2xl border border-line bg-surface shadow-card">
      <div className="flex items-center gap-4 border-b border-line px-5 py-5 sm:px-6">
        {start && <DayLeaf at={start} timeZone={isWholeDay ? 'UTC' : undefined} />}
        <div className="min-w-0 [&>div]:mb-0">
          <PageTitle page={page} terms={terms}>
            <p className="mt-1 text-sm text-soft">{formatPageEventSpan(frontmatter)}</p>
          </PageTitle>
        </div>
      </div>
      <div className="space-y-4 px-5 py-5 text-sm sm:px-6">
        <Line icon={<Repeat />} label="Repeats">
          {formatRecurrence(frontmatter['recurrence'])}
        </Line>
        <Line icon={<MapPin />} label="Place">
          {toText(frontmatter['location'])}
        </Line>
        <Line icon={<Video />} label="Call">
          {call && <OutsideLink href={call} />}
        </Line>
        <Line icon={<User />} label="Organizer">
          {head.get('Organizer') ?? toText(frontmatter['organizer'])}
        </Line>
        <Line icon={<Users />} label={`${attendees.length} invited`}>
          {attendees.length > 0 && (
            <ul className="space-y-1.5">
              {attendees.map(({ name, address, answer }) => (
                <li key={address} className="flex flex-wrap items-center gap-x-2">
                  <AnswerSign answer={answer} />
                  <span>{name || address}</span>
                  {name && <span className="text-faint">{address}</span>}
                </li>
              ))}
            </ul>
          )}
        </Line>
        <Line icon={<CalendarRange />} label="Calendar">
          {toText(frontmatter['calendar'])}
        </Line>
        <Line icon={<TextQuote />} label="Description">
          {rest && <BodyText text={rest} terms={terms} />}
        </Line>
      </div>
    </div>
  );
}

const answerSigns: Record<Answer, { icon: ReactNode; text: string; tone: string }> = {
  accepted: { icon: <Check />, text: 'accepted', tone: 'bg-go-wash text-go' },
  declined: { icon: <X />, text: 'declined', tone: 'bg-stop-wash text-stop' },
  maybe: { icon: <CircleHelp />, text: 'maybe', tone: 'bg-wait-wash text-wait' },
  none: { icon: <Minus />, text: 'no answer', tone: 'bg-sunken text-faint' },
};

function AnswerSign({ answer }: { answer: Answer }) {
  const { icon, text, tone } = answerSigns[answer];
  return (
    <span title={text} className={`grid size-5 shrink-0 place-items-center rounded-full [&_svg]:size-3 ${tone}`}>
      <span aria-hidden>{icon}</span>
      <span className="sr-only">{text}:</span>
    </span>
  );
}

function Line({ icon, label, children }: { icon: ReactNode; label: string; children: ReactNode }) {
  if (!children) return null;
  return (
    <div className="flex gap-3">
      <span className="mt-0.5 shrink-0 text-faint [&_svg]:size-4" title={label} aria-hidden>
        {icon}
      </span>
      <div className="min-w-0 flex-1 leading-relaxed wrap-anywhere">
        <h3 className="sr-only">{label}</h3>
        {children}
      </div>
    </div>
  );
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
