import {
  Blocks,
  Braces,
  CalendarDays,
  CalendarRange,
  CircleDot,
  FolderGit2,
  Gamepad2,
  HardDrive,
  Grid2x2,
  Hash,
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
  outlook_mail: Mail,
  outlook_calendar: CalendarDays,
  github: FolderGit2,
  linear: CircleDot,
  monday: KanbanSquare,
  notion: NotebookText,
  slack: Hash,
  microsoft: Grid2x2,
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
