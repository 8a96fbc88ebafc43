export { type FeedRead } from './feed/read-feed.ts';
export { outputFeedOf, outputsModule, passOnOf } from './module.ts';
