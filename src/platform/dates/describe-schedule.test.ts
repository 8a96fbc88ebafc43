import { expect, test } from 'vitest';
import { describeSchedule } from './index.ts';

test.for([
  ['* * * * *', 'every minute'],
  ['*/15 * * * *', 'every 15 minutes'],
  ['0 * * * *', 'every hour'],
  ['0 */6 * * *', 'every 6 hours'],
  ['5 9 * * *', 'every day at 9:05 (Europe/Madrid)'],
  ['0 9 * * 1', 'every Monday at 9:00 (Europe/Madrid)'],
  ['0 9 * * 7', 'every Sunday at 9:00 (Europe/Madrid)'],
  ['0 9 * * 1-5', 'on schedule 0 9 * * 1-5 (Europe/Madrid)'],
  ['0 9 1 * *', 'on schedule 0 9 1 * * (Europe/Madrid)'],
  ['0,30 9 * * *', 'on schedule 0,30 9 * * * (Europe/Madrid)'],
])('the schedule %s is said as: %s', ([cron = '', words]) => {
  expect(describeSchedule({ cron, tz: 'Europe/Madrid' })).toBe(words);
});
