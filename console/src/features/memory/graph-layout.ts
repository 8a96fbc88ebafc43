// The layout of a graph. It is computed in slices, so that the page stays responsive.
import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationNodeDatum,
} from 'd3-force';
import { listGraphConstellations, countLinks, restColour } from './graph-figures.ts';
import type { GraphNode, MemoryGraph } from './graph-requests.ts';
import type { Relation } from './requests.ts';

export type NodePosition = { x: number; y: number };
export type Dot = GraphNode & NodePosition & { radius: number; colour: string; degree: number };
export type Line = { source: Dot; target: Dot; type: Relation };

export type Layout = {
  dots: readonly Dot[];
  lines: readonly Line[];
  /** Computes for this time. False: the layout is finished. */
  work: (ms: number) => boolean;
};

const largest = 16;
const stillBelow = 0.02;

/** Starts a layout. Known nodes stay near their former position. */
export function beginLayout(graph: MemoryGraph, before: ReadonlyMap<string, NodePosition>): Layout {
  const degrees = countLinks(graph);
  const parseColour = new Map(listGraphConstellations(graph).map(({ id, colour }) => [id, colour]));
  const dots: (Dot & SimulationNodeDatum)[] = graph.nodes.map((node, at) => {
    const degree = degrees.get(node.id) ?? 0;
    return {
      ...node,
      ...(before.get(node.id) ?? computeSpiralPlace(at)),
      degree,
      radius: Math.min(4.5 + Math.sqrt(degree) * 2, largest),
      colour: parseColour.get(node.constellation_id ?? '') ?? restColour,
    };
  });
  const dotOf = new Map(dots.map((dot) => [dot.id, dot]));
  const lines = graph.links.flatMap(({ source, target, type }) => {
    const ends = [dotOf.get(source), dotOf.get(target)];
    return ends[0] && ends[1] ? [{ source: ends[0], target: ends[1], type }] : [];
  });
  const simulation = forceSimulation(dots)
    .force('link', forceLink(lines.map((line) => ({ ...line }))).distance(60))
    .force('charge', forceManyBody().strength(-90).distanceMax(360))
    .force('x', forceX().strength(0.07))
    .force('y', forceY().strength(0.07))
    .force(
      'collide',
      forceCollide<Dot>(({ radius }) => radius + 4),
    )
    .alpha(before.size ? 0.3 : 1)
    .alphaMin(stillBelow)
    .stop();
  return {
    dots,
    lines,
    work(ms) {
      const end = performance.now() + ms;
      while (simulation.alpha() > stillBelow && performance.now() < end) simulation.tick();
      return simulation.alpha() > stillBelow;
    },
  };
}

/** The initial position of the n-th node: evenly around the centre. */
function computeSpiralPlace(at: number): NodePosition {
  const angle = at * 2.4;
  const distance = 12 * Math.sqrt(at);
  return { x: Math.cos(angle) * distance, y: Math.sin(angle) * distance };
}
