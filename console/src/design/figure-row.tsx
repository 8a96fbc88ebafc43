type Figure = { name: string; value: number; format?: (value: number) => string };

/** A row of a few figures. */
export function FigureRow({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-2xl border border-line bg-line shadow-card sm:flex">
      {figures.map(({ name, value, format }) => (
        <div key={name} className="flex flex-1 flex-col-reverse justify-end bg-surface px-4 py-3.5 sm:px-5">
          <dt className="text-[13px] text-faint">{name}</dt>
          <dd className="text-[22px] leading-tight font-semibold tracking-tight tabular-nums">
            {format ? format(value) : value.toLocaleString()}
          </dd>
        </div>
      ))}
    </dl>
  );
}
