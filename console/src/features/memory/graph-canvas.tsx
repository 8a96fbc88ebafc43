import { Maximize, Minus, Plus } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import type { Dot, NodePosition } from './graph-layout.ts';
import type { MemoryGraph } from './graph-requests.ts';
import { startScene, type GraphScene } from './graph-scene.ts';
import { TypeLabel } from './type-label.tsx';

type Props = { graph: MemoryGraph; constellation: string | null; onOpen: (id: string) => void };

/** The graph as a picture to pan and zoom. The list beside it has the same content. */
export function GraphCanvas({ graph, constellation, onOpen }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const scene = useRef<GraphScene>(null);
  const places = useRef<ReadonlyMap<string, NodePosition>>(new Map());
  const [hovered, setHovered] = useState<{ dot: Dot; at: NodePosition } | null>(null);
  const open = useEffectEvent(onOpen);
  const showChosen = useEffectEvent(() => scene.current?.show(constellation));
  useEffect(() => {
    if (!canvas.current) return;
    const started = startScene(canvas.current, graph, places.current, {
      onHover: (dot, at) => setHovered(dot && { dot, at }),
      onOpen: (id) => open(id),
    });
    scene.current = started;
    showChosen();
    return () => {
      places.current = started.places();
      started.end();
    };
  }, [graph]);
  useEffect(() => scene.current?.show(constellation), [constellation]);
  return (
    <div className="relative h-[62dvh] min-h-80 overflow-hidden rounded-2xl border border-line bg-surface shadow-card">
      <canvas
        ref={canvas}
        role="img"
        aria-label={`${graph.nodes.length} memories and ${graph.links.length} links between them. The list shows the same.`}
        className="size-full touch-none"
      />
      {hovered && <Hovered {...hovered} width={canvas.current?.clientWidth ?? 0} />}
      <div className="absolute right-3 bottom-3 flex flex-col overflow-hidden rounded-lg border border-edge bg-surface shadow-card">
        <ZoomButton
          label="Zoom in"
          onPress={() => scene.current?.zoom(1.4)}
          icon={<Plus className="size-4" aria-hidden />}
        />
        <ZoomButton
          label="Zoom out"
          onPress={() => scene.current?.zoom(1 / 1.4)}
          icon={<Minus className="size-4" aria-hidden />}
        />
        <ZoomButton
          label="Show all"
          onPress={() => scene.current?.fit()}
          icon={<Maximize className="size-4" aria-hidden />}
        />
      </div>
    </div>
  );
}

function ZoomButton({ label, icon, onPress }: { label: string; icon: ReactNode; onPress: () => void }) {
  return (
    <button
      aria-label={label}
      title={label}
      onClick={onPress}
      className="grid size-9 place-items-center text-soft hover:bg-hover hover:text-ink focus-visible:-outline-offset-2"
    >
      {icon}
    </button>
  );
}

const cardWidth = 280;

function Hovered({ dot, at, width }: { dot: Dot; at: NodePosition; width: number }) {
  const left = Math.max(8, Math.min(at.x + 14, width - cardWidth - 8));
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute rounded-xl border border-line bg-raised px-3.5 py-2.5 text-sm shadow-lift"
      style={{ left, top: at.y + 16, width: cardWidth }}
    >
      <p className="leading-relaxed wrap-anywhere">{dot.label}</p>
      <p className="mt-1 flex gap-3 text-[13px] text-faint">
        <TypeLabel type={dot.type} />
        {dot.degree} {dot.degree === 1 ? 'link' : 'links'}
      </p>
    </div>
  );
}
