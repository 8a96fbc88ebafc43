// Schedules in words, where there are short ones.

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** `0 * * * *` as “every hour”, `30 9 * * 1` as “every Monday at 9:30 (UTC)”; others as they are written. */
export function describeSchedule({ cron, tz }: { cron: string; tz: string }): string {
  const [minute = '', hour = '', day, month, weekday = ''] = cron.trim().split(/\s+/);
  const whole = `on schedule ${cron} (${tz})`;
  if (day !== '*' || month !== '*') return whole;
  const step = /^\*\/(\d+)$/;
  if (hour === '*' && weekday === '*') {
    if (minute === '*' || minute === '*/1') return 'every minute';
    const every = step.exec(minute)?.[1];
    if (every !== undefined) return `every ${every} minutes`;
    return isNumber(minute) ? 'every hour' : whole;
  }
  const hours = step.exec(hour)?.[1];
  if (hours !== undefined && isNumber(minute) && weekday === '*') return `every ${hours} hours`;
  if (!isNumber(minute) || !isNumber(hour)) return whole;
  const when = weekday === '*' ? 'day' : isNumber(weekday) ? weekdays[Number(weekday) % 7] : undefined;
  return when === undefined ? whole : `every ${when} at ${Number(hour)}:${minute.padStart(2, '0')} (${tz})`;
}

function isNumber(text: string): boolean {
  return /^\d{1,2}$/.test(text);
}
