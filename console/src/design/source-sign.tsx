import { Blocks } from 'lucide-react';
import { sourceIcons } from './source-icons.ts';

/** The icon of an integration, without a name, for a line of text. */
export function SourceIcon({ name, className }: { name: string; className: string }) {
  const Icon = sourceIcons[name] ?? Blocks;
  return <Icon className={className} aria-hidden />;
}

/** The icon of an integration. */
export function SourceSign({ name }: { name: string }) {
  return (
    <span className="grid size-10 shrink-0 place-items-center rounded-xl border border-line bg-sunken text-soft">
      <SourceIcon name={name} className="size-5" />
    </span>
  );
}
