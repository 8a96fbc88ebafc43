export { type FeedRead } from './feed/read-feed.ts';
export { createOutputFeed, outputsModule, createPassOn } from './module.ts';
