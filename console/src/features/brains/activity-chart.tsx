import { DailyChart } from '../../design/daily-chart.tsx';
import type { Day } from './analytics-requests.ts';

const series = [
  { name: 'memories', label: 'Memories', className: 'fill-go' },
  { name: 'recalls', label: 'Recalls', className: 'fill-faint' },
] as const;

/** Stored and recalled memories per day. */
export function ActivityChart({ days }: { days: readonly Day[] }) {
  return (
    <DailyChart
      days={days}
      series={series}
      others={[{ name: 'sessions', label: 'Sessions' }]}
      describe={(total, most) =>
        `${total('memories')} memories stored, ${total('recalls')} recalled, at most ${most} per day.`
      }
    />
  );
}
