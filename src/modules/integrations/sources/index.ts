import { catalogue } from '../catalogue/index.ts';
import { sourceOf } from '../catalogue/source-of.ts';
import { calendar } from './calendar.ts';
import { drive } from './drive.ts';
import { gmail } from './gmail.ts';
import { httpJson } from './http-json.ts';
import { ics } from './ics.ts';
import type { Source } from './source.ts';

export type { Source } from './source.ts';

/** Every source there is, in the order in which they are shown. */
export const sources: readonly Source[] = [gmail, calendar, drive, ...catalogue.map(sourceOf), ics, httpJson];
