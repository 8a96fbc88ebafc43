// How a graph is painted. Canvas knows no CSS variables, so colours are read from the page once for each theme.
import type { Dot, Layout, Line } from './graph-layout.ts';
import { relations, type Relation } from './requests.ts';

/** How each relation is drawn; the legend tells it by the same table. */
export const strokes: Record<Relation, { colour: string; width: number; dash: readonly number[] }> = {
  relates_to: { colour: 'color-mix(in srgb, var(--color-faint) 60%, transparent)', width: 1, dash: [] },
  depends_on: { colour: 'var(--color-soft)', width: 1.5, dash: [] },
  decided_because_of: { colour: 'var(--color-soft)', width: 1.5, dash: [7, 4] },
  refines: { colour: 'var(--color-soft)', width: 1.5, dash: [2, 3] },
  supersedes: { colour: 'var(--color-wait)', width: 1.5, dash: [7, 4] },
  conflicts_with: { colour: 'var(--color-stop)', width: 2, dash: [] },
};

/** The viewport: the centre, and the scale. */
export type View = { x: number; y: number; scale: number };

type DrawnScene = {
  layout: Layout;
  view: View;
  hovered: Dot | null;
  isShown: (dot: Dot) => boolean;
  parseColour: (css: string) => string;
};

const mostNames = 80;
const longestName = 34;

/** Repaints everything. Sizes are in CSS pixels. `ratio` is device pixels per CSS pixel. */
export function renderGraph(canvas: HTMLCanvasElement, scene: DrawnScene, ratio: number): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  const { view, layout } = scene;
  const [width, height] = [canvas.width / ratio, canvas.height / ratio];
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.translate(width / 2, height / 2);
  context.scale(view.scale, view.scale);
  context.translate(-view.x, -view.y);
  const dots = layout.dots.filter(scene.isShown);
  const lines = layout.lines.filter(({ source, target }) => scene.isShown(source) && scene.isShown(target));
  renderLines(context, lines, scene);
  renderDots(context, dots, lines, scene);
  renderNames(context, dots, scene);
}

function renderLines(
  context: CanvasRenderingContext2D,
  lines: readonly Line[],
  { hovered, view, parseColour }: DrawnScene,
) {
  for (const type of relations) {
    const group = lines.filter((line) => line.type === type);
    const { colour, width, dash } = strokes[type];
    context.strokeStyle = parseColour(colour);
    context.lineWidth = width / Math.sqrt(view.scale);
    context.setLineDash([...dash]);
    for (const isNear of [false, true]) {
      context.globalAlpha = hovered && !isNear ? 0.25 : 1;
      context.beginPath();
      for (const { source, target } of group) {
        if ((source === hovered || target === hovered) !== isNear) continue;
        context.moveTo(source.x, source.y);
        context.lineTo(target.x, target.y);
      }
      context.stroke();
    }
  }
  context.setLineDash([]);
}

function renderDots(
  context: CanvasRenderingContext2D,
  dots: readonly Dot[],
  lines: readonly Line[],
  { hovered, view, parseColour }: DrawnScene,
): void {
  const near = new Set(
    lines.flatMap(({ source, target }) => (source === hovered || target === hovered ? [source, target] : [])),
  );
  for (const dot of dots) {
    context.globalAlpha = !hovered || dot === hovered || near.has(dot) ? 1 : 0.3;
    context.beginPath();
    context.arc(dot.x, dot.y, dot.radius, 0, Math.PI * 2);
    context.fillStyle = parseColour(dot.colour);
    context.fill();
    context.lineWidth = (dot === hovered ? 3 : 1.5) / view.scale;
    context.strokeStyle = parseColour(dot === hovered ? 'var(--color-ink)' : 'var(--color-surface)');
    context.stroke();
  }
  context.globalAlpha = 1;
}

/** Labels the most linked memories that have room. Labels overlap neither each other nor dots. */
function renderNames(
  context: CanvasRenderingContext2D,
  dots: readonly Dot[],
  { hovered, view, parseColour }: DrawnScene,
): void {
  if (hovered) return;
  const size = 1 / view.scale;
  context.font = `${11.5 * size}px ${getComputedStyle(document.body).fontFamily}`;
  context.textAlign = 'center';
  context.textBaseline = 'top';
  context.fillStyle = parseColour('var(--color-soft)');
  const taken: LabelBox[] = dots.map(({ x, y, radius }) => [x - radius, y - radius, x + radius, y + radius]);
  for (const { label, x, y, radius } of dots.toSorted((one, other) => other.degree - one.degree).slice(0, mostNames)) {
    const name = label.length > longestName ? `${label.slice(0, longestName - 1).trimEnd()}…` : label;
    const half = context.measureText(name).width / 2 + 4 * size;
    const top = y + radius + 4 * size;
    const box: LabelBox = [x - half, top, x + half, top + 14 * size];
    if (taken.some((other) => isOverlapping(box, other))) continue;
    taken.push(box);
    context.fillText(name, x, top);
  }
}

/** Left, top, right and bottom. */
type LabelBox = readonly [number, number, number, number];

function isOverlapping(one: LabelBox, other: LabelBox): boolean {
  return one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];
}
