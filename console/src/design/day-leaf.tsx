/** A calendar leaf for a day. Renders nothing for an invalid time. `timeZone` defaults to the reader's own. */
export function DayLeaf({ at, timeZone }: { at: string; timeZone?: string | undefined }) {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return null;
  const part = (options: Intl.DateTimeFormatOptions) => date.toLocaleDateString(undefined, { ...options, timeZone });
  return (
    <div aria-hidden className="w-14 shrink-0 overflow-hidden rounded-xl border border-line text-center shadow-card">
      <p className="bg-stop-wash text-[11px] leading-5 font-semibold text-stop uppercase">{part({ month: 'short' })}</p>
      <p className="py-1 text-xl font-semibold">{part({ day: 'numeric' })}</p>
    </div>
  );
}
