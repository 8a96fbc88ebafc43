export { trainingModule } from './module.ts';
