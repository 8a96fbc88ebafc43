export { automationsModule } from './module.ts';
