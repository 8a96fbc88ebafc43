export { appRole, buildBinding, formatBinding, isBinding, type BindingSettings } from './binding.ts';
