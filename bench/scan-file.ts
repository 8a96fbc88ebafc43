// Reads and scans one text file in its own process, as for an uploaded document. Reports time and memory.
import { readFileSync } from 'node:fs';
import { usualLimits } from '../src/platform/extraction/limits.ts';
import { readText } from '../src/platform/extraction/read-text.ts';
import { scan } from '../src/platform/extraction/scan.ts';
import { createAnalyser } from '#platform/search';

export type ScanResult = { ms: number; constellations: number; passages: number; peakMb: number };

const [path = ''] = process.argv.slice(2);
const begun = performance.now();
const { text } = await readText(readFileSync(path), { filename: 'text.txt', mimeType: 'text/plain' }, usualLimits);
const { constellations, passages } = await scan(text, createAnalyser('en'));
const result: ScanResult = {
  ms: performance.now() - begun,
  constellations: constellations.length,
  passages: passages.length,
  peakMb: process.resourceUsage().maxRSS / 1_000,
};
process.send?.(result);
