import { Clock } from 'lucide-react';
import { joinClassNames } from '../../design/class-names.ts';
import { useNow } from '../../design/time.tsx';

/** How long a draft can still be approved. */
export function Countdown({ until }: { until: string }) {
  const seconds = useSecondsLeft(until);
  const isShort = seconds < 300;
  return (
    <span
      title={new Date(until).toLocaleString()}
      className={joinClassNames(
        'inline-flex items-center gap-1 whitespace-nowrap',
        isShort ? 'text-stop' : 'text-faint',
      )}
    >
      <Clock className="size-3.5" aria-hidden />
      {seconds <= 0 ? 'Expired' : `${formatDuration(seconds)} left`}
    </span>
  );
}

/** Seconds until a moment; counts by the second only near the end. */
export function useSecondsLeft(until: string): number {
  const now = useNow(Date.parse(until) - Date.now() < 360_000 ? 1_000 : 15_000);
  return Math.floor((Date.parse(until) - now.getTime()) / 1_000);
}

function formatDuration(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3_600)} h`;
}
