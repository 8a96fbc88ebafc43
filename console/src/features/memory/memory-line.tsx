import { useQuery } from '@tanstack/react-query';
import { buildMemoryQuery } from './curation-requests.ts';

/** Another memory in one or two lines, by its id; opens it. */
export function MemoryLine({ id, onOpen }: { id: string; onOpen: (id: string) => void }) {
  const { data, isPending } = useQuery(buildMemoryQuery(id));
  if (isPending) return <span className="block h-5 w-2/3 animate-shine rounded bg-line" />;
  if (!data) return <span className="text-faint">This memory no longer exists.</span>;
  return (
    <button onClick={() => onOpen(id)} className="block w-full rounded text-left hover:underline">
      <span className="line-clamp-2 wrap-anywhere">{data.memory.content}</span>
    </button>
  );
}
