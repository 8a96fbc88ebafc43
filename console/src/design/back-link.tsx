import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { joinClassNames } from './class-names.ts';

/** A path without parameters, to a page that needs no search parameters. */
type ListAddress = Exclude<NonNullable<ComponentProps<typeof Link>['to']>, `${string}$${string}` | '/prove'>;

type Props = {
  to: ListAddress;
  /** Search parameters of the list. */
  search?: object;
  children: ReactNode;
  className?: string;
};

/** A link back to a list. */
export function BackLink({ to, search = {}, children, className }: Props) {
  return (
    <Link
      to={to}
      search={search}
      className={joinClassNames(
        'mb-3 -ml-1 inline-flex h-8 items-center gap-1.5 rounded-lg px-1 text-sm text-faint hover:text-ink',
        className,
      )}
    >
      <ArrowLeft className="size-4" aria-hidden /> {children}
    </Link>
  );
}
