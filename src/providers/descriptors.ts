import type { Descriptor } from './described/descriptor.ts';
import { discord } from './discord/read.ts';
import { github } from './github/read.ts';
import { linear } from './linear/read.ts';
import { outlookCalendar, outlookMail } from './microsoft/read.ts';
import { monday } from './monday/read.ts';
import { notion } from './notion/read.ts';
import { slack } from './slack/read.ts';

/** Providers that are read by their description only. */
export const catalogue: readonly Descriptor[] = [
  outlookMail,
  outlookCalendar,
  github,
  linear,
  monday,
  notion,
  slack,
  discord,
];
