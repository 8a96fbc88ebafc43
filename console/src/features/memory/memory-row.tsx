import { Tag } from '../../design/page.tsx';
import { Ago } from '../../design/time.tsx';
import { Highlight } from './highlight.tsx';
import { TypeLabel } from './type-label.tsx';
import { whyText } from './why.ts';
import type { Hit, Memory } from './requests.ts';

/** One memory in a list; a hit also says why it was found. */
export function MemoryRow({ memory, onOpen }: { memory: Memory | Hit; onOpen: () => void }) {
  const why = 'why' in memory ? memory.why : null;
  return (
    <li>
      <button
        onClick={onOpen}
        className="block w-full px-4 py-3.5 text-left transition-colors hover:bg-hover focus-visible:-outline-offset-2 sm:px-5"
      >
        <span className="line-clamp-3 text-[15px] leading-relaxed wrap-anywhere">
          <Highlight text={memory.content} terms={why?.terms ?? []} />
        </span>
        <span className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-[13px] text-faint">
          <TypeLabel type={memory.type} />
          {memory.salience !== 'normal' && (
            <Tag tone={memory.salience === 'critical' ? 'stop' : 'wait'}>{memory.salience}</Tag>
          )}
          <span>{memory.author ?? memory.stored_by}</span>
          <span className="max-sm:hidden">{memory.brain_name}</span>
          <Ago at={memory.occurred_at} />
          {why && <span className="text-go">{whyText(why)}</span>}
        </span>
      </button>
    </li>
  );
}
