import { Link, type ErrorComponentProps } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { buttonClass } from '../design/button.tsx';
import { EmptyState, ErrorState } from '../design/states.tsx';

/** For an address that leads nowhere. */
export function NotFound() {
  return (
    <main className="grid min-h-dvh place-items-center">
      <EmptyState
        icon={<Compass />}
        title="There is nothing here"
        action={
          <Link to="/" className={buttonClass('primary')}>
            Go home
          </Link>
        }
      >
        The address may be mistyped, or what it named is gone.
      </EmptyState>
    </main>
  );
}

/** For a page that broke while it was drawn. */
export function PageFailed({ error, reset }: ErrorComponentProps) {
  return <ErrorState error={error} onRetry={reset} />;
}
