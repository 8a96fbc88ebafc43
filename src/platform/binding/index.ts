export { appRole, bindingOf, bindingText, isBinding, type BindingSettings } from './binding.ts';
