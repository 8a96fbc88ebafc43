export { meaningOfServer } from './meaning-of.ts';
export { meaningModule } from './module.ts';
export { searchingWithMeaning } from './search-with-meaning.ts';
