export { getFindMeaning } from './find-meaning.ts';
export { meaningModule } from './module.ts';
export { withMeaning } from './search-with-meaning.ts';
