import type { Descriptor } from './descriptor.ts';
import { discord } from './discord.ts';
import { github } from './github.ts';
import { linear } from './linear.ts';
import { outlookCalendar, outlookMail } from './microsoft.ts';
import { monday } from './monday.ts';
import { notion } from './notion.ts';
import { slack } from './slack.ts';

/** Providers that are read by description alone. */
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
