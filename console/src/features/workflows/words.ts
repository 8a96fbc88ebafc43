import type { Workflow } from './requests.ts';

/** What a state is called, and its tone. */
export const stateWords = {
  active: { label: 'Active', tone: 'go' },
  paused: { label: 'Paused', tone: 'plain' },
  closed: { label: 'Closed', tone: 'plain' },
} as const satisfies Record<Workflow['state'], { label: string; tone: 'go' | 'plain' }>;

/** What a state of a deadline is called, and its tone. */
export const deadlineWords = {
  open: { label: 'Open', tone: 'plain' },
  overdue: { label: 'Overdue', tone: 'stop' },
  done: { label: 'Done', tone: 'go' },
} as const satisfies Record<Workflow['deadlines'][number]['state'], { label: string; tone: 'plain' | 'stop' | 'go' }>;

/** What a member of the team is. */
export const memberWords: Record<Workflow['roster'][number]['kind'], string> = {
  person: 'Person',
  key: 'Key',
  client: 'Connected client',
  automation: 'Automation',
};

/** The day of a deadline. A date is the same day wherever it is read; a time is shown in the reader's zone. */
export function formatDue(due: string): string {
  const isDate = due.length === 10;
  const options: Intl.DateTimeFormatOptions = {
    dateStyle: 'medium',
    ...(isDate ? { timeZone: 'UTC' } : { timeStyle: 'short' }),
  };
  return new Intl.DateTimeFormat(undefined, options).format(new Date(due));
}
