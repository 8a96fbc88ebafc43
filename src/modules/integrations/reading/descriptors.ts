import type { Descriptor } from './descriptor.ts';
import { discord } from '../providers/discord/read.ts';
import { github } from '../providers/github/read.ts';
import { linear } from '../providers/linear/read.ts';
import { outlookCalendar, outlookMail } from '../providers/microsoft/read.ts';
import { monday } from '../providers/monday/read.ts';
import { notion } from '../providers/notion/read.ts';
import { slack } from '../providers/slack/read.ts';

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
