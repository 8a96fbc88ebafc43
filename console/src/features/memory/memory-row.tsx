import { Tag } from '../../design/page.tsx';
import { Ago } from '../../design/time.tsx';
import { Highlight } from '../../design/highlight.tsx';
import { TypeLabel } from './type-label.tsx';
import { salienceWords, type Memory } from './requests.ts';

type Props = { memory: Memory; terms?: readonly string[]; why?: readonly string[]; onOpen: () => void };

/** One memory in a list. A hit has the words marked that were found, and says below why it was. */
export function MemoryRow({ memory, terms = [], why = [], onOpen }: Props) {
  return (
    <li>
      <button
        onClick={onOpen}
        className="block w-full px-4 py-3.5 text-left transition-colors hover:bg-hover focus-visible:-outline-offset-2 sm:px-5"
      >
        <span className="line-clamp-3 text-[15px] leading-relaxed wrap-anywhere">
          <Highlight text={memory.content} terms={terms} />
        </span>
        <span className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-[13px] text-faint">
          <TypeLabel type={memory.type} />
          {memory.salience !== 'normal' && (
            <Tag tone={memory.salience === 'critical' ? 'stop' : 'wait'}>{salienceWords[memory.salience]}</Tag>
          )}
          <span className="max-w-56 truncate">{memory.author ?? memory.stored_by}</span>
          <span className="max-w-56 truncate max-sm:hidden">{memory.brain_name}</span>
          <Ago at={memory.occurred_at} />
        </span>
        {why.length > 0 && <span className="mt-1 block text-[13px] text-go wrap-anywhere">{why.join(' · ')}</span>}
      </button>
    </li>
  );
}
