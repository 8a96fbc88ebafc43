import { Eye, Gavel, Heart, Lightbulb, ShieldAlert, type LucideIcon } from 'lucide-react';
import type { MemoryType } from './requests.ts';

const icons: Record<MemoryType, LucideIcon> = {
  decision: Gavel,
  constraint: ShieldAlert,
  fact: Lightbulb,
  preference: Heart,
  observation: Eye,
};

/** What kind of memory it is, with its sign. */
export function TypeLabel({ type }: { type: MemoryType }) {
  const Icon = icons[type];
  return (
    <span className="inline-flex items-center gap-1.5 text-soft capitalize">
      <Icon className="size-3.5" aria-hidden />
      {type}
    </span>
  );
}

/** A type or weight as a heading: «Decision». */
export function formatTypeName(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
