import { Blocks, CalendarDays, HardDrive, Mail, type LucideIcon } from 'lucide-react';

const signs: Record<string, LucideIcon> = { gmail: Mail, calendar: CalendarDays, drive: HardDrive };

/** The sign of an integration. */
export function SourceSign({ name }: { name: string }) {
  const Icon = signs[name] ?? Blocks;
  return (
    <span className="grid size-10 shrink-0 place-items-center rounded-xl border border-line bg-sunken text-soft">
      <Icon className="size-5" aria-hidden />
    </span>
  );
}
