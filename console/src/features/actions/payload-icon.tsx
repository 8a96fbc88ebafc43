import { CalendarDays, FileText, Mail, Zap, type LucideIcon } from 'lucide-react';
import { kindOf, type PayloadKind } from './payload.ts';
import type { Payload } from './requests.ts';

const icons: Record<PayloadKind, LucideIcon> = { email: Mail, event: CalendarDays, file: FileText, other: Zap };

/** The sign of what a draft is. */
export function PayloadIcon({ payload, className }: { payload: Payload; className?: string }) {
  const Icon = icons[kindOf(payload)];
  return <Icon className={className} aria-hidden />;
}
