import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Card } from '../../design/page.tsx';

/** A part of the home page that leads to the whole. */
export function HomeCard({
  title,
  to,
  children,
}: {
  title: string;
  to: '/inbox' | '/memory' | '/brains';
  children: ReactNode;
}) {
  return (
    <Card className="min-w-0 overflow-hidden">
      <header className="flex items-center justify-between px-5 pt-4 pb-2">
        <h2 className="text-[15px] font-semibold">{title}</h2>
        <Link
          to={to}
          search={{}}
          aria-label={`${title}: see all`}
          className="rounded text-[13px] font-medium text-faint hover:text-ink"
        >
          See all
        </Link>
      </header>
      {children}
    </Card>
  );
}

/** The empty state of a home card. */
export function HomeEmpty({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className="flex items-center gap-3 px-5 pt-2 pb-6 text-sm leading-relaxed text-soft">
      <span className="shrink-0 text-faint [&_svg]:size-5">{icon}</span>
      {children}
    </p>
  );
}
