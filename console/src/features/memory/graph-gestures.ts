import type { NodePosition } from './graph-layout.ts';

type Gestures = {
  onHover: (at: NodePosition | null) => void;
  onPress: (at: NodePosition) => void;
  onPan: (by: NodePosition) => void;
  onZoom: (factor: number, at: NodePosition) => void;
};

const pressMovesLess = 5;

/** Turns pointers and the wheel into gestures: one pointer moves, two zoom, a short touch presses. */
export function onGestures(canvas: HTMLCanvasElement, { onHover, onPress, onPan, onZoom }: Gestures): () => void {
  const down = new Map<number, NodePosition>();
  let travelled = 0;
  const stop = new AbortController();
  const { signal } = stop;
  const readPosition = ({ offsetX: x, offsetY: y }: MouseEvent): NodePosition => ({ x, y });
  const onMove = (event: PointerEvent) => {
    const [at, was] = [readPosition(event), down.get(event.pointerId)];
    if (!was) return onHover(event.pointerType === 'touch' ? null : at);
    const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
    travelled += Math.hypot(at.x - was.x, at.y - was.y);
    down.set(event.pointerId, at);
    if (!other) return travelled > pressMovesLess && onPan({ x: at.x - was.x, y: at.y - was.y });
    const [distance, before] = [at, was].map((each) => Math.hypot(each.x - other.x, each.y - other.y));
    onZoom((distance ?? 1) / Math.max(before ?? 1, 1), { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 });
  };
  const onUp = (event: PointerEvent) => {
    if (down.size === 1 && travelled <= pressMovesLess) onPress(readPosition(event));
    down.delete(event.pointerId);
  };
  const onDown = (event: PointerEvent) => {
    if (!down.size) travelled = 0;
    down.set(event.pointerId, readPosition(event));
    canvas.setPointerCapture(event.pointerId);
  };
  const onWheel = (event: WheelEvent) => {
    event.preventDefault();
    onZoom(Math.exp(-event.deltaY * 0.0015), readPosition(event));
  };
  canvas.addEventListener('pointermove', onMove, { signal });
  canvas.addEventListener('pointerdown', onDown, { signal });
  canvas.addEventListener('pointerup', onUp, { signal });
  canvas.addEventListener('pointercancel', ({ pointerId }) => void down.delete(pointerId), { signal });
  canvas.addEventListener('pointerleave', () => onHover(null), { signal });
  canvas.addEventListener('wheel', onWheel, { signal, passive: false });
  return () => stop.abort();
}
