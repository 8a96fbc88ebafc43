import { CalendarDays, File, FileText, Mail, type LucideIcon } from 'lucide-react';

const signs: Record<string, LucideIcon> = { email: Mail, calendar_event: CalendarDays, file: File };

/** The sign of a kind of page. */
export function PageSign({ type, className }: { type: string; className: string }) {
  const Icon = signs[type] ?? FileText;
  return <Icon className={className} aria-hidden />;
}
