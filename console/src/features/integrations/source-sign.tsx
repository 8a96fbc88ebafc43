import {
  Blocks,
  Braces,
  CalendarClock,
  CalendarDays,
  CalendarRange,
  CircleDot,
  FolderGit2,
  Gamepad2,
  HardDrive,
  Grid2x2,
  Hash,
  Inbox,
  KanbanSquare,
  Mail,
  NotebookText,
  Send,
  type LucideIcon,
} from 'lucide-react';

const signs: Record<string, LucideIcon> = {
  gmail: Mail,
  calendar: CalendarDays,
  drive: HardDrive,
  github: FolderGit2,
  linear: CircleDot,
  monday: KanbanSquare,
  notion: NotebookText,
  slack: Hash,
  microsoft: Grid2x2,
  outlook_mail: Inbox,
  outlook_calendar: CalendarClock,
  discord: Gamepad2,
  telegram: Send,
  http_json: Braces,
  ics: CalendarRange,
};

/** The sign of an integration alone, for a line of text. */
export function SourceIcon({ name, className }: { name: string; className: string }) {
  const Icon = signs[name] ?? Blocks;
  return <Icon className={className} aria-hidden />;
}

/** The sign of an integration. */
export function SourceSign({ name }: { name: string }) {
  return (
    <span className="grid size-10 shrink-0 place-items-center rounded-xl border border-line bg-sunken text-soft">
      <SourceIcon name={name} className="size-5" />
    </span>
  );
}
