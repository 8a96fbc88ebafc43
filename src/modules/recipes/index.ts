export { recipesModule } from './module.ts';
