export { outputsModule, passOnOf } from './module.ts';
