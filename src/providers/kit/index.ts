export { defineProvider } from './define-provider.ts';
