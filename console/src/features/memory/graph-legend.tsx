import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { strokes } from './graph-drawing.ts';
import type { Constellation } from './graph-figures.ts';
import type { MemoryGraph } from './graph-requests.ts';
import { relationWords } from './relation-words.ts';
import { relations } from './requests.ts';

type Props = {
  constellations: readonly Constellation[];
  chosen: string | null;
  onChoose: (constellation: string | undefined) => void;
};

const shownAtFirst = 8;

/** What the colours mean; selecting one shows only its memories. */
export function ConstellationLegend({ constellations, chosen, onChoose }: Props) {
  const [isWhole, setIsWhole] = useState(false);
  if (!constellations.length) return null;
  const shown = constellations.filter(({ id }, at) => isWhole || at < shownAtFirst || id === chosen);
  return (
    <div
      role="group"
      aria-label="Topics"
      className="flex flex-wrap gap-1.5 max-sm:-mx-4 max-sm:flex-nowrap max-sm:overflow-x-auto max-sm:px-4"
    >
      {shown.map(({ id, label, count, colour }) => (
        <Button
          key={id}
          size="small"
          look={id === chosen ? 'plain' : 'quiet'}
          aria-pressed={id === chosen}
          className="max-w-72 sm:max-w-full"
          onClick={() => onChoose(id === chosen ? undefined : id)}
        >
          <span aria-hidden className="size-2.5 shrink-0 rounded-full" style={{ background: colour }} />
          <span className="truncate">{label}</span>
          <span className="text-faint">{count}</span>
        </Button>
      ))}
      {shown.length < constellations.length && (
        <Button size="small" look="quiet" onClick={() => setIsWhole(true)}>
          {constellations.length - shown.length} more
        </Button>
      )}
    </div>
  );
}

/** What the lines mean, as far as they occur. */
export function RelationLegend({ graph }: { graph: MemoryGraph }) {
  const types = relations.filter((relation) => graph.links.some(({ type }) => type === relation));
  return (
    <ul aria-label="Kinds of links" className="flex flex-wrap gap-x-5 gap-y-1.5 text-[13px] text-soft">
      {types.map((type) => {
        const { colour, width, dash } = strokes[type];
        return (
          <li key={type} className="flex items-center gap-2">
            <svg viewBox="0 0 28 4" className="h-1 w-7" aria-hidden>
              <line
                x2="28"
                y1="2"
                y2="2"
                stroke={colour}
                strokeWidth={Math.max(width, 1.2)}
                strokeDasharray={dash.join(' ')}
              />
            </svg>
            {relationWords[type].forth}
          </li>
        );
      })}
    </ul>
  );
}
