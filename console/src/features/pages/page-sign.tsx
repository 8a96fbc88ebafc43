import {
  CalendarDays,
  CircleDot,
  File,
  FileText,
  Mail,
  MessageSquare,
  NotebookText,
  type LucideIcon,
} from 'lucide-react';

const signs: Record<string, LucideIcon> = {
  email: Mail,
  calendar_event: CalendarDays,
  file: File,
  issue: CircleDot,
  message: MessageSquare,
  note: NotebookText,
};

/** The sign of a kind of page. */
export function PageSign({ type, className }: { type: string; className: string }) {
  const Icon = signs[type] ?? FileText;
  return <Icon className={className} aria-hidden />;
}
