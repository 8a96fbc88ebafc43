import { discord } from './discord.ts';
import { github } from './github.ts';
import { google } from './google.ts';
import { httpJson } from './http-json.ts';
import { ics } from './ics.ts';
import { linear } from './linear.ts';
import { microsoft } from './microsoft.ts';
import { monday } from './monday.ts';
import { notion } from './notion.ts';
import type { Provider } from './provider.ts';
import { slack } from './slack.ts';
import { telegram } from './telegram.ts';

/** Providers whose accounts can be linked, as data. */
export const providers: readonly Provider[] = [
  google,
  microsoft,
  github,
  linear,
  monday,
  notion,
  slack,
  discord,
  telegram,
  httpJson,
  ics,
];
