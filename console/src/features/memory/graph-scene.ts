// An interactive graph on a canvas: layout, pan, zoom, and the memory under the pointer.
import { renderGraph, type View } from './graph-drawing.ts';
import { readColours } from './graph-colours.ts';
import { onGestures } from './graph-gestures.ts';
import { beginLayout, type Dot, type NodePosition } from './graph-layout.ts';
import type { MemoryGraph } from './graph-requests.ts';

type Handlers = {
  /** What the pointer is on, and where on the canvas that is. */
  onHover: (dot: Dot | null, at: NodePosition) => void;
  onOpen: (id: string) => void;
};

export type GraphScene = {
  /** Shows only the memories of one constellation; null shows all. */
  show: (constellation: string | null) => void;
  zoom: (factor: number) => void;
  fit: () => void;
  /** Where each memory stands. */
  places: () => Map<string, NodePosition>;
  end: () => void;
};

/** The share of a 16 ms frame for the layout. */
const sliceMs = 8;
const scales = { least: 0.15, most: 5 };
const reach = 8;

/** Draws the graph until `end` is called. */
export function startScene(
  canvas: HTMLCanvasElement,
  graph: MemoryGraph,
  before: ReadonlyMap<string, NodePosition>,
  { onHover, onOpen }: Handlers,
): GraphScene {
  const layout = beginLayout(graph, before);
  const view: View = { x: 0, y: 0, scale: 1 };
  const state = { hovered: null as Dot | null, shown: null as string | null, isFitted: true, frame: 0 };
  const isShown = (dot: Dot) => state.shown === null || dot.constellation_id === state.shown;
  const colours = readColours(canvas);
  const draw = () => {
    cancelAnimationFrame(state.frame);
    state.frame = requestAnimationFrame(() => {
      const isMoving = layout.work(sliceMs);
      if (state.isFitted) fitInto(view, canvas, layout.dots.filter(isShown));
      renderGraph(canvas, { layout, view, hovered: state.hovered, isShown, parseColour: colours.of }, devicePixelRatio);
      if (isMoving) draw();
    });
  };
  const move = (change: (view: View) => void) => {
    state.isFitted = false;
    change(view);
    draw();
  };
  const dotAt = (at: NodePosition) =>
    findNearestDot(layout.dots.filter(isShown), toGraph(view, canvas, at), reach / view.scale);
  const stopHearing = onGestures(canvas, {
    onHover(at) {
      const dot = at && dotAt(at);
      if (dot !== state.hovered) draw();
      state.hovered = dot;
      canvas.style.cursor = dot ? 'pointer' : 'grab';
      onHover(dot, at ?? { x: 0, y: 0 });
    },
    onPress(at) {
      const dot = dotAt(at);
      if (dot) onOpen(dot.id);
    },
    onPan: (by) => move(() => ((view.x -= by.x / view.scale), (view.y -= by.y / view.scale))),
    onZoom: (factor, at) => move(() => adjustZoom(view, canvas, factor, at)),
  });
  const stopSizing = followSize(canvas, draw);
  const stopColours = colours.onChange(draw);
  return {
    show: (constellation) => ((state.shown = constellation), (state.isFitted = true), draw()),
    zoom: (factor) => move(() => adjustZoom(view, canvas, factor, getCanvasMiddle(canvas))),
    fit: () => ((state.isFitted = true), draw()),
    places: () => new Map(layout.dots.map(({ id, x, y }) => [id, { x, y }])),
    end() {
      cancelAnimationFrame(state.frame);
      for (const stop of [stopSizing, stopColours, stopHearing]) stop();
    },
  };
}

/** Keeps as many pixels on the canvas as its place on the screen has. */
function followSize(canvas: HTMLCanvasElement, draw: () => void): () => void {
  const observer = new ResizeObserver(() => {
    canvas.width = canvas.clientWidth * devicePixelRatio;
    canvas.height = canvas.clientHeight * devicePixelRatio;
    draw();
  });
  observer.observe(canvas);
  return () => observer.disconnect();
}

function getCanvasMiddle(canvas: HTMLCanvasElement): NodePosition {
  return { x: canvas.clientWidth / 2, y: canvas.clientHeight / 2 };
}

function toGraph(view: View, canvas: HTMLCanvasElement, at: NodePosition): NodePosition {
  const middle = getCanvasMiddle(canvas);
  return { x: view.x + (at.x - middle.x) / view.scale, y: view.y + (at.y - middle.y) / view.scale };
}

/** Zooms so that what is under a point stays there. */
function adjustZoom(view: View, canvas: HTMLCanvasElement, factor: number, at: NodePosition): void {
  const fixed = toGraph(view, canvas, at);
  view.scale = Math.min(Math.max(view.scale * factor, scales.least), scales.most);
  const now = toGraph(view, canvas, at);
  view.x += fixed.x - now.x;
  view.y += fixed.y - now.y;
}

function fitInto(view: View, canvas: HTMLCanvasElement, dots: readonly Dot[]): void {
  if (!dots.length) return;
  const [xs, ys] = [dots.map(({ x }) => x), dots.map(({ y }) => y)];
  const box = { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
  view.x = (box.left + box.right) / 2;
  view.y = (box.top + box.bottom) / 2;
  const margin = 120;
  const scale = Math.min(
    canvas.clientWidth / (box.right - box.left + margin),
    canvas.clientHeight / (box.bottom - box.top + margin),
  );
  view.scale = Math.min(Math.max(scale, scales.least), 1.6);
}

function findNearestDot(dots: readonly Dot[], at: NodePosition, reach: number): Dot | null {
  let found: Dot | null = null;
  let least = Infinity;
  for (const dot of dots) {
    const distance = Math.hypot(dot.x - at.x, dot.y - at.y) - dot.radius;
    if (distance < Math.min(least, reach)) [found, least] = [dot, distance];
  }
  return found;
}
