export { getFindMeaning } from './find-meaning.ts';
export { createMeaningModule } from './module.ts';
export { withMeaning } from './search-with-meaning.ts';
