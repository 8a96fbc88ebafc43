import { Link, type ErrorComponentProps } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { getButtonClass } from '../design/button.tsx';
import { EmptyState, ErrorState } from '../design/states.tsx';

/** For an address that leads nowhere. */
export function NotFound() {
  return (
    <main className="grid min-h-dvh place-items-center">
      <EmptyState
        icon={<Compass />}
        title="Page not found"
        action={
          <Link to="/" className={getButtonClass('primary')}>
            Go home
          </Link>
        }
      >
        Check the address. The page may have been deleted.
      </EmptyState>
    </main>
  );
}

/** For a page that broke while it was drawn. */
export function PageFailed({ error, reset }: ErrorComponentProps) {
  return <ErrorState error={error} onRetry={reset} />;
}
