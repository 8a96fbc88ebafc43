export { telegramModule } from './module.ts';
export { push } from './push.ts';
